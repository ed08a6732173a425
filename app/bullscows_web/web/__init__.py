"""What pages and documents are made with, whatever they show: rendering, headers, errors."""
