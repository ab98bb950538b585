"""The state of a campaign as values: documents under an overlay, patches, and what the log folds to."""
