"""The languages of the site, and the names of games, answers, trees and strategies in them."""
