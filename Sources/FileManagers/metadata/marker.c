#include "marker.h"

#include "emblem-list.h"
#include "item.h"
#include "host/badge.h"

/* Badges that last shorter than this are not shown. */
#define DELAY_MILLISECONDS 500

/* Items in one turn of the main loop; they share one wait for the disk. */
#define SLICE 64

/* Emblems at one time: each costs a millisecond and touches a file. */
#define EMBLEM_LIMIT 10000

struct Marker {
    Ledger *ledger;
    const BadgeImages *images;
    GHashTable *wants; /* item URI → Want */
    guint source;
    gboolean is_full;
    gboolean complained;
};

typedef struct {
    char *folder_uri;  /* NULL: the recorded one */
    GRefString *badge; /* NULL: none */
} Want;

/* An item whose emblems are to be replaced. */
typedef struct {
    Item item;
    char **emblems;
} Change;

static void want_free(gpointer pointer)
{
    Want *want = pointer;
    g_free(want->folder_uri);
    g_clear_pointer(&want->badge, g_ref_string_release);
    g_free(want);
}

static void change_clear(gpointer pointer)
{
    Change *change = pointer;
    item_close(&change->item);
    g_strfreev(change->emblems);
}

static void complain(Marker *marker, const Item *item, const GError *error)
{
    if (marker->complained)
        return;
    marker->complained = TRUE;
    g_autofree char *name = g_file_get_parse_name(item->file);
    g_warning("The emblems of %s, and perhaps of other items, cannot be changed: %s", name, error->message);
}

/* Deciding */

static gboolean is_in_transit(const char *badge)
{
    return g_strcmp0(badge, "pending") == 0 || g_strcmp0(badge, "syncing") == 0;
}

static const char *emblem_of(const Marker *marker, const char *badge)
{
    const char *emblem = badge == NULL ? NULL : badge_images_icon(marker->images, badge);
    return emblem != NULL && ledger_can_record(emblem) ? emblem : NULL;
}

static gboolean has_room(Marker *marker)
{
    gboolean was_full = marker->is_full;
    marker->is_full = ledger_count(marker->ledger) >= EMBLEM_LIMIT;
    if (marker->is_full && !was_full)
        g_message("%u items carry an emblem; further items get none", EMBLEM_LIMIT);
    return !marker->is_full;
}

/* Whether the emblem that we gave the item has to be replaced. Symlinks and special files get none. */
static gboolean needs_change(Marker *marker, const char *uri, const Want *want, const Item *item)
{
    if (item->kind == ITEM_ABSENT || (item->kind == ITEM_FILE && is_in_transit(want->badge)))
        return FALSE;
    const LedgerEntry *entry = ledger_find(marker->ledger, uri);
    const char *emblem = emblem_of(marker, want->badge);
    if (entry == NULL)
        return emblem != NULL && item->kind != ITEM_OTHER && has_room(marker);
    return g_strcmp0(entry->emblem, emblem) != 0;
}

/* Records the change before it is made. FALSE if there is nothing to change. */
static gboolean plan(Marker *marker, const char *uri, const Want *want, Change *change)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) emblems = item_read_emblems(&change->item, &error);
    if (error != NULL) {
        complain(marker, &change->item, error);
        return FALSE;
    }
    const LedgerEntry *entry = ledger_find(marker->ledger, uri);
    const char *emblem = emblem_of(marker, want->badge);
    gboolean is_added;
    change->emblems = emblem_list_exchange(emblems, entry == NULL ? NULL : entry->emblem, emblem, &is_added);
    if (is_added || entry != NULL)
        ledger_set(marker->ledger, uri, want->folder_uri, is_added ? emblem : NULL);
    return !emblem_list_equal(emblems, change->emblems);
}

/* Doing */

static void carry_out(Marker *marker, GArray *changes)
{
    if (changes->len > 0)
        ledger_sync(marker->ledger);
    for (guint i = 0; i < changes->len; i++) {
        const Change *change = &g_array_index(changes, Change, i);
        g_autoptr(GError) error = NULL;
        if (item_write_emblems(&change->item, change->emblems, &error))
            item_touch(&change->item);
        else
            complain(marker, &change->item, error);
    }
}

static void apply_want(Marker *marker, const char *uri, Want *want, GArray *changes)
{
    const LedgerEntry *entry = ledger_find(marker->ledger, uri);
    if (want->folder_uri == NULL && entry == NULL)
        return;
    if (want->folder_uri == NULL)
        want->folder_uri = g_strdup(entry->folder_uri);
    Change change = { item_open(want->folder_uri, uri), NULL };
    if (needs_change(marker, uri, want, &change.item) && plan(marker, uri, want, &change))
        g_array_append_val(changes, change);
    else
        change_clear(&change);
}

/* TRUE if there is more to do. */
static gboolean do_slice(Marker *marker)
{
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(Change));
    g_array_set_clear_func(changes, change_clear);
    GHashTableIter wants;
    gpointer uri;
    gpointer want;
    g_hash_table_iter_init(&wants, marker->wants);
    for (guint count = 0; count < SLICE && g_hash_table_iter_next(&wants, &uri, &want); count++) {
        apply_want(marker, uri, want, changes);
        g_hash_table_iter_remove(&wants);
    }
    carry_out(marker, changes);
    return g_hash_table_size(marker->wants) > 0;
}

static gboolean on_idle(gpointer data)
{
    Marker *marker = data;
    if (do_slice(marker))
        return G_SOURCE_CONTINUE;
    marker->source = 0;
    return G_SOURCE_REMOVE;
}

static gboolean on_delay(gpointer data)
{
    Marker *marker = data;
    marker->source = g_idle_add(on_idle, marker);
    return G_SOURCE_REMOVE;
}

void marker_want(Marker *marker, const char *item_uri, const char *folder_uri, const char *badge)
{
    /* Most items are synced and always were. */
    if (badge == NULL && ledger_find(marker->ledger, item_uri) == NULL
        && !g_hash_table_contains(marker->wants, item_uri))
        return;
    Want *want = g_new(Want, 1);
    *want = (Want){ g_strdup(folder_uri), badge == NULL ? NULL : g_ref_string_new_intern(badge) };
    g_hash_table_insert(marker->wants, g_strdup(item_uri), want);
    if (marker->source == 0)
        marker->source = g_timeout_add(DELAY_MILLISECONDS, on_delay, marker);
}

guint marker_withdraw_all(Marker *marker)
{
    guint before = ledger_count(marker->ledger);
    g_autoptr(GPtrArray) items = ledger_items(marker->ledger);
    g_hash_table_remove_all(marker->wants);
    for (guint i = 0; i < items->len; i++) {
        const char *uri = g_ptr_array_index(items, i);
        marker_want(marker, uri, NULL, NULL);
    }
    while (do_slice(marker)) {
    }
    return before - ledger_count(marker->ledger);
}

Marker *marker_new(Ledger *ledger, const BadgeImages *images)
{
    Marker *marker = g_new0(Marker, 1);
    marker->ledger = ledger;
    marker->images = images;
    marker->wants = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, want_free);
    return marker;
}

void marker_free(Marker *marker)
{
    if (marker->source != 0)
        g_source_remove(marker->source);
    g_hash_table_unref(marker->wants);
    g_free(marker);
}
