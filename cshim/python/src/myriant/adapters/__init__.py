"""Adapters: the boards as other libraries know environments.

    gymnasium    ``gymnasium.make("myriant/Ants-v0")``, ``gymnasium.make_vec("myriant/Ants-v0", num_envs=64)``
    pettingzoo   ``parallel_env()`` and ``env()``: seats are agents
    puffer       ``PufferEnv`` for PufferLib 3
    torch        ``TorchBatch``: a batch whose arrays are tensors of the same memory

Each module imports the library that it is for, and nothing else does. Reading order:
``form.py`` (what one seat sees and does), then the adapter.
"""
