"""How errors are told: kinds of problems, documents for programs, pages for people."""
