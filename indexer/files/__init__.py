"""Files of any origin: read safely, written whole."""
