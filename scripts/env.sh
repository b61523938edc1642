# Source this (bash, zsh, dash) to use the checkout's .venv: `. scripts/env.sh`, from anywhere.
# It sets the library path, the prefix, this checkout's own ROS domain and ZULONG_HOME.
if [ -n "${BASH_SOURCE:-}" ]; then
    _zulong_root=$(cd "$(dirname "${BASH_SOURCE}")/.." && pwd)
elif [ -n "${ZSH_VERSION:-}" ]; then
    _zulong_root=$(cd "$(dirname "${(%):-%x}")/.." && pwd)
else
    _zulong_root=${ZULONG_ROOT:-$PWD}
fi
# Another ROS installation or Python of the caller must not leak in.
unset PYTHONPATH AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH PYTHONHOME LD_LIBRARY_PATH
unset _ROS_WHEELS_BOOTSTRAP_COMPLETE ZULONG_ENVIRONMENT_SET
if [ -x "$_zulong_root/.venv/bin/python" ]; then
    eval "$("$_zulong_root/.venv/bin/python" -m zulong.cli.environment)"
else
    echo "There is no $_zulong_root/.venv yet: run 'make setup'." >&2
fi
unset _zulong_root
