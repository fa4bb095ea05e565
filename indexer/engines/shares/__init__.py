"""What one or several processes write of an embedded index: tantivy indexes, and how they are made one."""
