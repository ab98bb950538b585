"""Stage 4: the narration against what happened, and the evidence for it."""
