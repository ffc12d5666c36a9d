/* SPDX-License-Identifier: MIT */
/* MPI_Init and MPI_Finalize: rank 0 reads the file for all ranks. Whatever is wrong with it or with the MPI library is one
 * line on standard error, and the program runs as without. */
#include "preload.h"
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>

struct preload preload;

extern int real_init(int *argc, char ***argv) OF_LIBRARY("PMPI_Init");
extern int real_init_thread(int *argc, char ***argv, int required, int *provided) OF_LIBRARY("PMPI_Init_thread");
extern int real_finalize(void) OF_LIBRARY("PMPI_Finalize");
extern int preload_init(int *argc, char ***argv) EXPORTED("MPI_Init");
extern int preload_init_thread(int *argc, char ***argv, int required, int *provided) EXPORTED("MPI_Init_thread");
extern int preload_finalize(void) EXPORTED("MPI_Finalize");

static bool is_off(const char *text)
{
    return text && (!strcmp(text, "0") || !strcasecmp(text, "no") || !strcasecmp(text, "off") || !strcasecmp(text, "false"));
}

const char *preload_setting(const char *name)
{
    const char *text = getenv(name);

    return text ? text : "";
}

void preload_say(int rank, const char *format, ...)
{
    char text[COLL_JSON_MAX_ERROR + 300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (rank == 0)
        fprintf(stderr, "changeover-preload: %s\n", text);
}

/* ---- the network of this process */

/* The address behind a host name, and the interface that has it; or the other way */
static void find_address(const char *host, char address[PRELOAD_MAX_ADDRESS], char iface[64])
{
    struct addrinfo hints = {.ai_family = AF_INET,.ai_socktype = SOCK_STREAM}, *found = NULL;
    struct ifaddrs *list = NULL;

    if (*host && getaddrinfo(host, NULL, &hints, &found) == 0) {
        getnameinfo(found->ai_addr, found->ai_addrlen, address, PRELOAD_MAX_ADDRESS, NULL, 0, NI_NUMERICHOST);
        freeaddrinfo(found);
    }
    if (getifaddrs(&list))
        return;
    for (const struct ifaddrs *row = list; row; row = row->ifa_next) {
        char text[PRELOAD_MAX_ADDRESS] = "";
        if (row->ifa_addr == NULL || row->ifa_addr->sa_family != AF_INET ||
            getnameinfo(row->ifa_addr, sizeof(struct sockaddr_in), text, sizeof(text), NULL, 0, NI_NUMERICHOST))
            continue;
        if (*address && !strcmp(text, address))
            snprintf(iface, 64, "%s", row->ifa_name);
        else if (!*address && !strcmp(iface, row->ifa_name))
            snprintf(address, PRELOAD_MAX_ADDRESS, "%s", text);
    }
    freeifaddrs(list);
}

static void choose_network(const tuning_s *tuning)
{
    char address[PRELOAD_MAX_ADDRESS] = "", iface[64] = "", host[256] = "", note[COLL_JSON_MAX_ERROR];
    tuning_place_s place = {.address = address,.iface = iface,.provider = preload_find_interface(iface, address)};

    if (*iface == '\0' && *address == '\0') {
        snprintf(host, sizeof(host), "%s", preload_setting(INTERFACE_HOST));
        if (*host == '\0')
            gethostname(host, sizeof(host) - 1);
    }
    find_address(host, address, iface);
    MPII_Coll_tuning_choose_network(tuning, preload_setting("MPIR_CVAR_COLL_TUNING_NETWORK"), &place, preload.network, note);
    if (*note)
        preload_say(0, "%s", note);
}

/* ---- starting */

/* The reader knows the section of this library only: "/openmpi: unknown key; ..." */
static bool is_for_other(const char *error)
{
    char expected[40];

    return !strncmp(error, expected, snprintf(expected, sizeof(expected), "/%s: unknown key", preload_other_section));
}

/* NULL: no rules; a line says why */
static tuning_packed_s *read_rules(size_t *len)
{
    const char *file = preload_setting("MPIR_CVAR_COLL_TUNING_FILE");
    char error[COLL_JSON_MAX_ERROR] = "", note[COLL_JSON_MAX_ERROR];
    char *text = *file ? MPII_Coll_json_read(file, len, error) : NULL;
    tuning_s *tuning = text ? MPII_Coll_tuning_load(text, *len, error) : NULL;
    tuning_packed_s *packed = NULL;

    if (*file == '\0')
        preload_say(0, "there are no rules: MPIR_CVAR_COLL_TUNING_FILE has to name a tuning file");
    else if (tuning == NULL && is_for_other(error))
        preload_say(0, "%s: its rules are for %s, and this program has %s; no rule is used", file, preload_other_library,
                    preload_library);
    else if (tuning == NULL)
        preload_say(0, "%s: %s; no rule is used", file, error);
    if (tuning) {
        preload_drop_foreign_rules(tuning, note);
        if (*note)
            preload_say(0, "%s: %s", file, note);
        choose_network(tuning);
        if (preload.verbose > 0)
            preload_say(0, "tuning file %s, network %s: %d rules", file, preload.network, tuning->num_rules);
        packed = MPII_Coll_tuning_pack(tuning, preload.network, len);
        MPII_Coll_tuning_free(tuning);
    }
    free(text);
    return packed;
}

/* By all ranks: what rank 0 has read */
static bool share_rules(tuning_packed_s *packed, size_t len, int rank)
{
    long long bytes = packed ? (long long) len : 0;

    PMPI_Bcast(&bytes, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    if (bytes == 0)
        return false;
    if (rank != 0)
        packed = malloc((size_t) bytes);
    int is_good = packed != NULL, all_good = 0;
    PMPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all_good) {
        PMPI_Bcast(packed, (int) bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        snprintf(preload.network, sizeof(preload.network), "%s", packed->network);
        preload.tuning = MPII_Coll_tuning_unpack(packed, (size_t) bytes);
    }
    is_good = preload.tuning != NULL && preload_make_choices();
    PMPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_good)
        preload_say(rank, "the ranks have different MPI libraries, or no memory; no rule is used");
    return all_good;
}

/* False: this library cannot be told, or need not be */
static bool can_start(int rank)
{
    char problem[COLL_JSON_MAX_ERROR] = "";
    int level = MPI_THREAD_SINGLE;

    PMPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE)
        snprintf(problem, sizeof(problem), "with MPI_THREAD_MULTIPLE a control variable is also that of other threads' calls");
    else
        preload_can_start(problem);
    if (*problem)
        preload_say(rank, "no rule is used: %s", problem);
    return *problem == '\0';
}

void preload_start(void)
{
    int rank = 0, first_call = 0;
    size_t len = 0;
    tuning_packed_s *packed = NULL;

    if (preload_is_late()) {
        preload_say(atoi(preload_setting(RANK)), "no rule is used: this program has loaded its MPI library later (dlopen)");
        return;
    }
    if (!preload_is_library())
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    preload.verbose = atoi(preload_setting("MPIR_CVAR_COLL_TUNING_VERBOSE"));
    if (!is_off(getenv("MPIR_CVAR_COLL_TUNING_ENABLE")) && can_start(rank))
        first_call = preload_first_call();
    PMPI_Allreduce(&first_call, &preload.first_call, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (preload.first_call == 0)
        return;
    if (rank == 0)
        packed = read_rules(&len);
    preload.is_on = share_rules(packed, len, rank) && preload_find_nodes();
}

int preload_init(int *argc, char ***argv)
{
    preload_find_late_library();
    preload_prepare();
    const int code = real_init(argc, argv);

    if (code == MPI_SUCCESS)
        preload_start();
    return code;
}

int preload_init_thread(int *argc, char ***argv, int required, int *provided)
{
    preload_find_late_library();
    preload_prepare();
    const int code = real_init_thread(argc, argv, required, provided);

    if (code == MPI_SUCCESS)
        preload_start();
    return code;
}

/* ---- the end */

static void tell_calls(void)
{
    int rank = 0;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < preload.tuning->num_rules; i++)
        if (preload.choices[i].num_calls > 0)
            preload_say(0, "rule from %lld bytes on, %s %s: %llu calls on rank 0", (long long) preload.tuning->rules[i].bytes.first,
                MPIR_Csel_coll_names[preload.tuning->rules[i].coll_type],
                MPII_Coll_tuning_algorithm(&preload.tuning->rules[i]), preload.choices[i].num_calls);
}

void preload_stop(void)
{
    if (preload.is_on && preload.verbose > 0)
        tell_calls();
    if (preload.is_on)
        preload_forget_comms();
    preload.is_on = false;
}

int preload_finalize(void)
{
    preload_stop();
    return real_finalize();
}
