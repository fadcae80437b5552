"""tacit.memory"""
