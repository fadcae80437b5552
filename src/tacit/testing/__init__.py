"""What tests of programs that use Tacit need."""
