"""ZULONG (祖龙): a mind for a robot, as ROS 2 nodes over plain Python engines.

This module stays light on purpose: ``import zulong.msg`` must not pull in numpy or a model.
The path is extended so that the interfaces which rosidl generates (``zulong.msg``, ``zulong.srv``,
``zulong.action``) join this package from wherever they were installed.
"""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
__version__ = "0.1.0"
