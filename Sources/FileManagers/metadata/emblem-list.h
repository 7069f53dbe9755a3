#pragma once

#include <glib.h>

/*
 * The emblems of one item, as a list of icon names, most of which may be the person's own. Ours are the one that was
 * recorded for the item and every one with our own prefix: one without a record may have come with a moved item.
 */

#define OWN_EMBLEM_PREFIX "emblem-roundel-"

/* The list without our emblems, and with the new one behind the person's unless that is NULL or there already; then it
 * is not ours, and `is_added` is FALSE. NULL stands for an empty list, also in the result. */
char **emblem_list_exchange(char *const *emblems, const char *recorded, const char *new_emblem, gboolean *is_added);

gboolean emblem_list_equal(char *const *some, char *const *others);
