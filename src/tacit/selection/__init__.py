"""tacit.selection"""
