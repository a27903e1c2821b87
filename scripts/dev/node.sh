# Sourced by scripts that need a node of their own: a scratch folder, and a palenad that is started
# in it on a free port and stopped again. However the script ends, Ctrl-C included, nothing is left
# running or lying about.
#
#   $bin        where the programs are
#   $scratch    the folder, removed at the end
#   $address    HOST:PORT of the node that runs

bin=build/release/bin
scratch=$(mktemp -d "${TMPDIR:-/tmp}/palena.XXXXXX")
address=
ready=
_node_pid=
_node_out=

# Starts a node on $scratch/data with the given flags and returns when it says that it can serve;
# `ready` is then the line that says so. Nothing sleeps: the node's first line is waited for.
start_node() {
  ready=
  rm -f "$scratch/out"
  mkfifo "$scratch/out"
  "$bin/palenad" --listen 127.0.0.1:0 --data-dir "$scratch/data" "$@" \
    >"$scratch/out" 2>"$scratch/log" &
  _node_pid=$!
  exec {_node_out}<"$scratch/out" # stays open, so that the node can go on writing
  if ! read -r -t 60 -u "$_node_out" ready || [[ $ready != "ready listen="* ]]; then
    echo "$0: the node did not start: $ready" >&2
    cat "$scratch/log" >&2
    exit 1
  fi
  address=${ready#ready listen=}
  address=${address%% *}
}

# The node ends by TERM; one that has not ended after 20 s is killed.
stop_node() {
  local pid=$_node_pid
  if [[ -z $pid ]]; then return; fi
  _node_pid=
  kill -TERM "$pid" 2>/dev/null || true
  timeout 20 tail --pid="$pid" -s 0.1 -f /dev/null || kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  exec {_node_out}<&-
}

_clean_up() {
  trap - EXIT
  stop_node
  rm -rf "$scratch"
}
trap _clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
