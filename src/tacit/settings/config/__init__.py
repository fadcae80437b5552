"""Configuration: what a file and the environment say, field by field.

Programs that write the file import `tacit.config.change` and `tacit.config.file` themselves.
"""
