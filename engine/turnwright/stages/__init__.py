"""A turn's way through the house, one module a stage, in this order.

prepare (before there is a turn) · intake · settings · tools · conflicts · commit · publish
"""
