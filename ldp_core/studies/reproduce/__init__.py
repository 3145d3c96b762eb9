"""The papers, item by item: what they print beside what this tool finds."""
