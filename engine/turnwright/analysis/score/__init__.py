"""Game masters scored in seeded scenarios, without a model that judges. Source: docs/score.md."""
