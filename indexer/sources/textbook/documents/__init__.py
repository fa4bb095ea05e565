"""Books as they lie on a disk: pages (PDF, `pdftotext`) made into paragraphs, HTML, EPUB and DOCX."""
