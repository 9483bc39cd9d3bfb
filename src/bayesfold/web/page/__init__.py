"""The page's own files: HTML, style, modules of script, and words in each language. Nothing here is Python."""
