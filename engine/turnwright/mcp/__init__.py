"""The Model Context Protocol door: a campaign as the tools, resources and prompts of an MCP server.

Source: docs/mcp.md.
"""
