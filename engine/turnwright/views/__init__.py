"""One reader's view of the current campaign, as plain data and as the input of drawings."""
