"""What is around every route: the door, what it refuses, what it adds, and the copies it keeps."""
