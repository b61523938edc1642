"""The mind's loop: missions over task graphs, the function-calling loop, its models, tools and limits."""
