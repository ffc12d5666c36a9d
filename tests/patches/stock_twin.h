// SPDX-License-Identifier: MIT
// The selection of the unpatched release, run beside the patched one in the same process: its own csel.c,
// csel_container.c and built-in trees, under other names. Every question to the patched library is also put to it,
// with the same communicator and the same signature.
#ifndef STOCK_TWIN_H_INCLUDED
#define STOCK_TWIN_H_INCLUDED

#ifdef __cplusplus
extern "C" {
#endif

// The answers to the last question. NULL: the tree does not cover the call.
typedef struct {
    const char *stock;        // MPIR tree
    const char *stock_ch4;    // tree of the ch4 device
    const char *patched_ch4;  // the same tree, patched
} Twin_answers;

void twin_init(void);
void twin_forget_communicator(void);  // before questions about another communicator
const Twin_answers *twin_answers(void);

// The built-in trees of the patched library, as JSON
const char *twin_patched_tree(void);
const char *twin_patched_ch4_tree(void);

// One selection of each library, for counting instructions: the last question again
void twin_select_stock(void);
void twin_select_patched(void);

#ifdef __cplusplus
}
#endif

#endif
