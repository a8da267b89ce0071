"""Workbooks of spreadsheets before a library reads them: how much memory what they claim would take."""
