"""L0: the embedded simulator. MuJoCo is the physics; no ROS in here (``zulong.nodes.sim`` publishes)."""
