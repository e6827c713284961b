"""The version of the package: that of the library that it is built with."""

__version__ = "0.1.0"
