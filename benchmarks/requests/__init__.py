"""What every kind of request costs the server: what is asked, the asking, and the table.

`hammer` measures what a player notices of many such requests at once.
"""
