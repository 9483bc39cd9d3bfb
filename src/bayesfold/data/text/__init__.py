"""Text as a column of terms: tokenizer, vocabulary, inverse document frequencies."""
