"""What a server may do to a program: be away, be in trouble, be built on by two at once."""
