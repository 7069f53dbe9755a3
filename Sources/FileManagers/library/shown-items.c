#include "shown-items.h"

#include "host/item-uri.h"

struct ShownItems {
    const HostLoop *loop;
    TimeSlice slice;
    Observer *observer;
    RefreshQueue *first; /* items whose first badge came */
    GHashTable *shown;   /* directory URI → how often it is shown */
    gboolean hides_progress;
    guint look; /* grows when badges look different */
    ShownItemsEvents events;
    gpointer data;
};

/* An item that the host asked about or was told of. */
typedef struct {
    ShownItems *items;
    DirectoryEntry *entry; /* NULL when it is forgotten */
    Badge told;
    guint look; /* of what was told */
    gboolean is_asked;
    guint references;
} Item;

/* Items */

static gpointer item_ref(gpointer pointer)
{
    Item *item = pointer;
    item->references++;
    return item;
}

static void item_unref(gpointer pointer)
{
    Item *item = pointer;
    if (--item->references > 0)
        return;
    badge_clear(&item->told);
    g_free(item);
}

static void follow(gpointer item, DirectoryEntry *entry)
{
    ((Item *)item_ref(item))->entry = entry;
}

static void unfollow(gpointer pointer, DirectoryEntry *entry)
{
    (void)entry;
    Item *item = pointer;
    item->entry = NULL;
    item_unref(item);
}

static void lose(Item *item)
{
    DirectoryEntry *entry = item->entry;
    item->entry = NULL;
    directory_entry_lose(entry, item);
    item_unref(item);
}

/* FALSE if the host was told the same before. */
static gboolean tell(Item *item)
{
    const Badge *badge = &item->entry->badge;
    const char *identifier = badge->identifier == NULL ? "" : badge->identifier;
    const BadgeChange change = badge_set(&item->told, identifier, badge->flags, badge->progress);
    const gboolean looks_same = item->look == item->items->look || badge_is_none(badge);
    item->look = item->items->look;
    return change == BADGE_CHANGED || (change == BADGE_PROGRESSED && !item->items->hides_progress) || !looks_same;
}

static char *uri_in(const char *directory_uri, const char *name)
{
    return g_strconcat(directory_uri, g_str_has_suffix(directory_uri, "/") ? "" : "/", name, NULL);
}

/* What the host asked about is asked for again where the library doubts that it is still shown: the host says so with
 * shown_items_release. */
static void refresh(gpointer pointer)
{
    Item *item = pointer;
    const ShownItems *items = item->items;
    if (item->entry == NULL)
        return;
    if (item->is_asked)
        observer_request(items->observer, item->entry);
    g_autofree char *uri = uri_in(item->entry->directory->uri, item->entry->name);
    const gboolean is_new = tell(item);
    if (badge_is_none(&item->told) && !item->is_asked)
        lose(item);
    if (is_new)
        items->events.badge(uri, &item->told, items->data);
}

static const ItemMethods methods = { item_ref, item_unref, follow, unfollow, refresh };

static Item *attach(ShownItems *items, DirectoryEntry *entry)
{
    if (entry->items != NULL)
        return entry->items->data;
    Item *item = g_new(Item, 1);
    *item = (Item){ .items = items, .told = BADGE_NONE, .look = items->look };
    directory_entry_attach(entry, item);
    return item;
}

/* What comes */

static void on_item_changed(const char *directory_uri, const char *name, BadgeChange change, gpointer data)
{
    ShownItems *items = data;
    g_autofree char *uri = uri_in(directory_uri, name);
    DirectoryEntry *entry = observer_entry(items->observer, uri);
    /* A name that makes no URI of an item has no entry. */
    if (entry != NULL && entry->items == NULL && !badge_is_none(&entry->badge))
        refresh_queue_add(items->first, attach(items, entry));
    items->events.item_changed(directory_uri, name, change, items->data);
}

static void on_directory_found(const char *directory_uri, gpointer data)
{
    const ShownItems *items = data;
    items->events.directory_found(directory_uri, items->data);
}

static void on_images_changed(gpointer data)
{
    ShownItems *items = data;
    items->look++;
}

/* What the host says */

void shown_items_show(ShownItems *items, const char *directory_uri)
{
    const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(items->shown, directory_uri));
    g_hash_table_insert(items->shown, g_strdup(directory_uri), GUINT_TO_POINTER(count + 1));
    observer_show(items->observer, directory_uri);
}

gboolean shown_items_hide(ShownItems *items, const char *directory_uri)
{
    const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(items->shown, directory_uri));
    if (count == 0)
        return FALSE;
    observer_hide(items->observer, directory_uri);
    if (count > 1) {
        g_hash_table_insert(items->shown, g_strdup(directory_uri), GUINT_TO_POINTER(count - 1));
        return TRUE;
    }
    g_hash_table_remove(items->shown, directory_uri);
    observer_forget(items->observer, directory_uri);
    return TRUE;
}

const Badge *shown_items_badge(ShownItems *items, const char *uri)
{
    DirectoryEntry *entry = observer_entry(items->observer, uri);
    if (entry == NULL)
        return NULL;
    Item *item = attach(items, entry);
    item->is_asked = TRUE;
    observer_request(items->observer, entry);
    tell(item);
    return &item->told;
}

void shown_items_release(ShownItems *items, const char *uri)
{
    DirectoryEntry *entry = observer_entry(items->observer, uri);
    if (entry != NULL)
        lose(attach(items, entry));
}

gboolean shown_items_hold(const ShownItems *items, const char *uri)
{
    return observer_holds(items->observer, uri);
}

ShownItems *shown_items_new(HostLink *link, const Habits *habits, const ShownItemsEvents *events, gpointer data)
{
    static const HostLinkEvents link_events = { .images_changed = on_images_changed };
    static const ObserverEvents observer_events = { { NULL, on_item_changed }, on_directory_found };
    ShownItems *items = g_new0(ShownItems, 1);
    items->loop = host_link_loop(link);
    items->slice = time_slice_new(g_get_monotonic_time);
    items->hides_progress = habits->hides_progress;
    items->events = *events;
    items->data = data;
    items->shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    items->first = refresh_queue_new(items->loop, &methods);
    const ObserverParts parts = { link, &items->slice, &methods, *habits };
    host_link_listen(link, &link_events, items);
    items->observer = observer_new(&parts, &observer_events, items);
    return items;
}

void shown_items_free(ShownItems *items)
{
    observer_free(items->observer);
    refresh_queue_free(items->first);
    g_hash_table_unref(items->shown);
    g_free(items);
}
