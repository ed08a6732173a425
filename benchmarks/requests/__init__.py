"""What every kind of request costs the server: what is asked, the asking, and the table."""
