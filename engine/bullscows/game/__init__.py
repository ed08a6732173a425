"""Games: rules, answers, histories, candidates, symmetry and objectives; nothing here searches."""
