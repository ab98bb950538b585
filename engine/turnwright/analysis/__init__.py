"""What a log tells afterwards: reports, learned suggestion rules, scores of models."""
