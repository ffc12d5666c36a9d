# SPDX-License-Identifier: MIT
# For tests with a real Slurm: source it instead of ../support/shell.sh, with the arguments of the test; then
# start_slurm. Everything runs in namespaces of the test (processes, network, host name, mounts), so ports are its own,
# and the kernel ends all of it with the test, however that ends. Nothing of the machine's own Slurm or munge is used.
# Skips (exit 77) where that cannot be.
if [[ -z ${CHANGEOVER_TEST_OF_SLURM:-} ]]; then
    skip() { echo "skipped: $*" >&2; exit 77; }
    ((EUID == 0)) || skip "a Slurm of its own needs root; run the tests as root"
    for program in munged slurmctld slurmd srun ip; do
        command -v $program >/dev/null || skip "there is no $program; try: scripts/setup --tests"
    done
    namespaces=(unshare --pid --mount --net --uts --ipc --fork --kill-child --mount-proc --)
    "${namespaces[@]}" true 2>/dev/null || skip "root may not make namespaces here (a container without CAP_SYS_ADMIN?)"
    CHANGEOVER_TEST_OF_SLURM=1 exec "${namespaces[@]}" bash "$0" "$@"
fi
source "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

daemons=()
end_slurm() {
    ((${#daemons[@]} == 0)) || { kill -KILL "${daemons[@]}" && wait "${daemons[@]}"; } 2>/dev/null
    daemons=()
}
trap 'end_slurm; rm -rf "$work"' EXIT

# Nodes cn1, cn2 ... with two processors each. `apart`: each with its own processes and host name, so that none sees what
# runs on another one; `together`: several slurmd on one machine, as Slurm knows it.
start_slurm() { # apart|together NODES
    local slurm=$work/slurm enter=() machine=localhost node nodes
    nodes=$(seq -f cn%g "$2")
    mkdir -p "$slurm"/{munge,state,spool}
    ip link set lo up
    ip link add net0 type bridge # addresses are only looked up where there is more than the loopback
    ip addr add 10.211.0.1/24 dev net0
    ip link set net0 up
    hostname localhost
    echo 127.0.0.1 localhost $nodes >"$slurm/hosts"
    mount --bind "$slurm/hosts" /etc/hosts
    [[ $1 == together ]] || machine="cn[1-$2]"

    head -c 1024 /dev/urandom >"$slurm/munge/key"
    chmod 400 "$slurm/munge/key"
    munged --foreground --force --socket="$slurm/munge/socket" --key-file="$slurm/munge/key" \
        --pid-file="$slurm/munge/pid" --seed-file="$slurm/munge/seed" >"$slurm/munge.log" 2>&1 &
    daemons+=($!)
    cat >"$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
AuthInfo=socket=$slurm/munge/socket
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmctldLogFile=$slurm/slurmctld.log
StateSaveLocation=$slurm/state
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmdLogFile=$slurm/slurmd.%n.log
SlurmdSpoolDir=$slurm/spool/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0
KillWait=5
ReturnToService=2
NodeName=cn[1-$2] NodeHostname=$machine NodeAddr=127.0.0.1 Port=[1701-170$2] CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    export SLURM_CONF=$slurm/slurm.conf
    until [[ -S $slurm/munge/socket ]]; do
        kill -0 "${daemons[0]}" 2>/dev/null || { cat "$slurm/munge.log" >&2; exit 1; }
        sleep 0.05
    done
    slurmctld -D -c >"$slurm/slurmctld.out" 2>&1 &
    daemons+=($!)
    for node in $nodes; do
        [[ $1 == together ]] || enter=(unshare --pid --uts --mount --fork --kill-child --mount-proc -- sh -c 'hostname "$0" && "$@"; exit' $node) # the shell is their init
        "${enter[@]}" slurmd -D -N $node >"$slurm/slurmd.$node.out" 2>&1 &
        daemons+=($!)
    done
    for _ in {1..300}; do
        [[ $(sinfo --noheader --states=idle --format=%D 2>/dev/null) != "$2" ]] || return 0
        sleep 0.1
    done
    echo "FAILED: Slurm did not start" >&2
    tail -n 5 "$slurm"/*.log "$slurm"/*.out >&2
    exit 1
}

# What a job has left: its processes carry a token
nothing_runs() { ! grep -qs CHANGEOVER_JOB= /proc/[0-9]*/environ; }
nothing_is_queued() { [[ -z $(squeue --noheader) ]]; }
becomes() { # COMMAND...     within two minutes
    for _ in {1..1200}; do
        ! "$@" || return 0
        sleep 0.1
    done
    return 1
}
