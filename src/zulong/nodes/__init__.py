"""The ROS side of ZULONG: one thin file a node, over a base that owns lifecycle, parameters, QoS and diagnostics."""
