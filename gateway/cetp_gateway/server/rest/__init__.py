"""The routes of the REST side, one file for each subject, in one table that `/openapi.json` describes.

Above: `app`. Below: `service`, `door`, `requests`.
"""
