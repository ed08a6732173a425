"""What a proof would cost, from tasks of it that are drawn at random."""
