"""What a row is: frames of any library, encodings, the schema, and batches of encoded rows."""
