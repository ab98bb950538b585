"""JSON Schemas of every file, reply, record and tool."""
