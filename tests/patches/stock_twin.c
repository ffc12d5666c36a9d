/* SPDX-License-Identifier: MIT
 * See stock_twin.h. Compiled with the inner headers of the patched MPICH. */
#include "mpiimpl.h"
#include "mpir_csel.h"
#include "stock_twin.h"

/* the unpatched release, renamed by build-stock-twin */
extern const char stock_MPII_coll_generic_json[];
extern const char stock_MPIDI_coll_generic_json[];
extern const char *const stock_algorithm_names[];
int stock_MPIR_Csel_create_from_buf(const char *json, void *(*create_container) (struct json_object *),
                                    void **csel);
int stock_MPIR_Csel_prune(void *root_csel, MPIR_Comm * comm_ptr, void **comm_csel);
int stock_MPIR_Csel_free(void *csel);
void *stock_MPIR_Csel_search(void *csel, MPIR_Csel_coll_sig_s coll_sig);
void *stock_MPII_Create_container(struct json_object *obj);

extern const char MPIDI_coll_generic_json[];

static void *stock_root, *stock_ch4_root, *patched_ch4_root;
static void *stock_csel, *stock_ch4_csel, *patched_ch4_csel;    /* of the communicator asked about */
static Twin_answers answers;
static MPIR_Csel_coll_sig_s last_sig;
static const void *last_csel;

/* ch4 has its containers in the device, which may not be built: the name is enough here */
static void *name_container(struct json_object *obj)
{
    json_object_object_foreach(obj, key, val) {
        return MPL_strdup(strchr(key, '=') + 1);
    }
    return NULL;
}

void twin_init(void)
{
    stock_MPIR_Csel_create_from_buf(stock_MPII_coll_generic_json, stock_MPII_Create_container, &stock_root);
    stock_MPIR_Csel_create_from_buf(stock_MPIDI_coll_generic_json, name_container, &stock_ch4_root);
    MPIR_Csel_create_from_buf(MPIDI_coll_generic_json, name_container, &patched_ch4_root);
}

void twin_forget_communicator(void)
{
    if (stock_csel) {
        stock_MPIR_Csel_free(stock_csel);
        stock_MPIR_Csel_free(stock_ch4_csel);
        MPIR_Csel_free(patched_ch4_csel);
        stock_csel = NULL;
    }
}

const Twin_answers *twin_answers(void)
{
    return &answers;
}

const char *twin_patched_tree(void)
{
    return MPII_coll_generic_json;
}

const char *twin_patched_ch4_tree(void)
{
    return MPIDI_coll_generic_json;
}

/* the linker puts these two in place of MPIR_Csel_query, which MPIX_Coll_query_call asks */
void __real_MPIR_Csel_query(const void *csel, const MPIR_Csel_coll_sig_s * sig, MPIX_Coll_choice_t * choice);
void __wrap_MPIR_Csel_query(const void *csel, const MPIR_Csel_coll_sig_s * sig, MPIX_Coll_choice_t * choice);

void __wrap_MPIR_Csel_query(const void *csel, const MPIR_Csel_coll_sig_s * sig, MPIX_Coll_choice_t * choice)
{
    MPIX_Coll_choice_t ch4_choice;

    __real_MPIR_Csel_query(csel, sig, choice);
    if (stock_csel == NULL) {
        stock_MPIR_Csel_prune(stock_root, sig->comm_ptr, &stock_csel);
        stock_MPIR_Csel_prune(stock_ch4_root, sig->comm_ptr, &stock_ch4_csel);
        MPIR_Csel_prune(patched_ch4_root, sig->comm_ptr, &patched_ch4_csel);
    }
    MPII_Csel_container_s *container = stock_MPIR_Csel_search(stock_csel, *sig);
    answers.stock = container ? stock_algorithm_names[container->id] : NULL;
    answers.stock_ch4 = stock_MPIR_Csel_search(stock_ch4_csel, *sig);
    __real_MPIR_Csel_query(patched_ch4_csel, sig, &ch4_choice);
    answers.patched_ch4 = ch4_choice.algorithm;
    last_sig = *sig;
    last_csel = csel;
}

/* what MPIR_Xxx_allcomm_auto does for a call: fill the signature, search, look at the container */
static volatile int chosen_id;

void twin_select_stock(void)
{
    MPIR_Csel_coll_sig_s sig = last_sig;
    MPII_Csel_container_s *container = stock_MPIR_Csel_search(stock_csel, sig);
    chosen_id = container->id;
}

void twin_select_patched(void)
{
    MPIR_Csel_coll_sig_s sig = last_sig;
    MPII_Csel_container_s *container = MPIR_Csel_search((void *) last_csel, &sig);
    chosen_id = container->id;
}
