"""What is made of a checkout for others: the wheel, the list of licences, the bill of materials."""
