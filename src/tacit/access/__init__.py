"""tacit.access"""
