"""SelQA answer sentence selection."""
