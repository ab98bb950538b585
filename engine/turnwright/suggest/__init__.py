"""suggest"""
