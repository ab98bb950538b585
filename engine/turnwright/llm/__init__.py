"""Language models behind one port, and an adapter for each way to reach one."""
