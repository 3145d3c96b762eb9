"""The ways to a mechanism that we did not write; each gives a ``claims.Subject``.

``builtin`` and ``files`` run nothing new: a mechanism of our own by its name, and files. ``python`` and ``command`` run
a stranger's program, and ``reach`` chooses among all but files; only the command line and who programs with them call
these three.
"""
