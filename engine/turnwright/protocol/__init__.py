"""One turn through the seven stages: intake, settings, tools, conflicts, commit, publish; prepared by stage 0."""
