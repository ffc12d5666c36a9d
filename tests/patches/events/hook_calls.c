/* SPDX-License-Identifier: MIT
 * What collectives are made of, many times over on MPI_COMM_SELF, for counting instructions: a process that talks to
 * itself takes the same number each time; and two collectives of all processes. Compiled with the inner headers of the
 * patched MPICH.
 * usage: hook_calls PART REPETITIONS */
#include <valgrind/callgrind.h>

#include "mpiimpl.h"

enum { bytes = 64, tag = 1 };
static char from[bytes], to[bytes];
static MPIR_Comm *comm;
static MPIR_Errflag_t errflag = MPIR_ERR_NONE;

static void call(void)
{
    MPIR_Allreduce(from, to, bytes, MPI_BYTE, MPI_BOR, comm, &errflag);
}

static void short_call(void)
{
    MPIR_Bcast(from, bytes, MPI_BYTE, 0, comm, &errflag);
}

/* the other end of a message has no hook */
static void finish(MPIR_Request * other)
{
    MPID_Wait(other, MPI_STATUS_IGNORE);
    MPIR_Request_free(other);
}

static void send_one(void)
{
    MPIR_Request *other;

    MPID_Irecv(to, bytes, MPI_BYTE, 0, tag, comm, MPIR_CONTEXT_INTRA_COLL, &other);
    MPIC_Send(from, bytes, MPI_BYTE, 0, tag, comm, &errflag);
    finish(other);
}

static void receive_one(void)
{
    MPIR_Request *other;

    MPID_Isend(from, bytes, MPI_BYTE, 0, tag, comm, MPIR_CONTEXT_INTRA_COLL, &other);
    MPIC_Recv(to, bytes, MPI_BYTE, 0, tag, comm, MPI_STATUS_IGNORE, &errflag);
    finish(other);
}

static void exchange(void)
{
    MPIC_Sendrecv(from, bytes, MPI_BYTE, 0, tag, to, bytes, MPI_BYTE, 0, tag, comm, MPI_STATUS_IGNORE, &errflag);
}

static void requests(void)
{
    MPIR_Request *both[2];
    MPI_Status statuses[2];

    MPIC_Irecv(to, bytes, MPI_BYTE, 0, tag, comm, &both[0]);
    MPIC_Isend(from, bytes, MPI_BYTE, 0, tag, comm, &both[1], &errflag);
    MPIC_Waitall(2, both, statuses, &errflag);
}

static void copy(void)
{
    MPIR_Localcopy(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE);
}

static void reduce(void)
{
    MPIR_Reduce_local(from, to, bytes, MPI_BYTE, MPI_BOR);
}

static void allreduce(void)
{
    MPI_Allreduce(from, to, 8, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

static void bcast(void)
{
    MPI_Bcast(from, 8, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run) (void);
} parts[] = {
    {"call", call}, {"short_call", short_call}, {"send", send_one}, {"receive", receive_one}, {"exchange", exchange},
    {"requests", requests}, {"copy", copy}, {"reduce", reduce}, {"allreduce", allreduce}, {"bcast", bcast}
};

int main(int argc, char **argv)
{
    int found = 0;

    if (argc != 3 || MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 2;
    comm = MPIR_Process.comm_self;
    for (unsigned part = 0; part < sizeof(parts) / sizeof(parts[0]); part++) {
        if (!strcmp(argv[1], parts[part].name)) {
            parts[part].run();
            CALLGRIND_START_INSTRUMENTATION;
            for (long i = atol(argv[2]); i > 0; i--)
                parts[part].run();
            CALLGRIND_STOP_INSTRUMENTATION;
            found = 1;
        }
    }
    MPI_Finalize();
    return !found;
}
