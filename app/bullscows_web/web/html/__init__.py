"""Pages: templates, what is around every page, and how what is not final asks again."""
