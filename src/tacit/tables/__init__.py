"""Reading what people write, tables and YAML, so that every error names the file and the line."""

from tacit.tables.csv_file import read_csv
from tacit.tables.files import read_text
from tacit.tables.rows import LINE, Row, finite_number, place, refuse, require_unique
from tacit.tables.table import TABLE_ENDINGS, csv_line, is_table_name, read_table
from tacit.tables.yaml_file import read_yaml, yaml_lines

__all__ = [
    "LINE",
    "TABLE_ENDINGS",
    "Row",
    "csv_line",
    "finite_number",
    "is_table_name",
    "place",
    "read_csv",
    "read_table",
    "read_text",
    "read_yaml",
    "refuse",
    "require_unique",
    "yaml_lines",
]
