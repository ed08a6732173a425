"""The start page, the page that tells how it works, and what makes the site usable offline.

`status` tells what the server does at the moment.
"""
