"""Multiple-choice questions as people write them: numbered text, Aiken, GIFT, CSV, TSV and JSON."""
