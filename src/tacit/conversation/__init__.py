"""tacit.conversation"""
