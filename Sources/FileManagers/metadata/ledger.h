#pragma once

#include <gio/gio.h>

/*
 * Which items carry an emblem of ours, and which one; kept in a file, so that the emblems can be removed after a
 * crash, too. A line is appended for each change, before the change is made. One process at a time has it open.
 */

typedef struct Ledger Ledger;

typedef struct {
    char *folder_uri;
    char *emblem;
} LedgerEntry;

/* NULL, with an error that says what to do, if it cannot be used or another process has it open. */
Ledger *ledger_open(const char *path, GError **error);
void ledger_close(Ledger *ledger);

guint ledger_count(const Ledger *ledger);

/* The entry of an item, or NULL. Valid until the ledger is next changed. */
const LedgerEntry *ledger_find(const Ledger *ledger, const char *item_uri);

/* The URIs of all the items, as a new array. */
GPtrArray *ledger_items(const Ledger *ledger);

/* Records the emblem; NULL forgets the item. */
void ledger_set(Ledger *ledger, const char *item_uri, const char *folder_uri, const char *emblem);

/* Makes all records durable. */
void ledger_sync(Ledger *ledger);

/* Whether an emblem's name can be recorded. */
gboolean ledger_can_record(const char *emblem);
