"""L3: the skills and what they stand on, without ROS.

``skill`` says what a skill is, ``runner`` carries goals out, ``ledger`` remembers side effects, ``robot`` is the port
to the hardware, ``navigation`` drives, ``views`` and ``wanted`` look, ``skills`` holds one module an idea.
"""
