"""tacit.summary"""
