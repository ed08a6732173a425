"""Best guesses: from shipped trees and openings, or from one search thread."""
