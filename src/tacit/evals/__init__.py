"""How good it is: public benchmarks and sets of our own, through the public interface only."""
