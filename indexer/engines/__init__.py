"""The two engines that hold and search an index: embedded (tantivy) and Elasticsearch."""
