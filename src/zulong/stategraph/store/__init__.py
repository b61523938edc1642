"""Long-term storage shared by threads: values under (namespace, key), found by filter and by meaning."""
