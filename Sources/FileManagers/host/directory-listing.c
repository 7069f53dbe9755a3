#include "directory-listing.h"

#include "item-uri.h"

/* Names in one page: few enough that the first are there soon, and that a message stays small. */
#define PAGE 2000

#define REPLY_TYPE "(asasauaysa{sv})"
enum { REPLY_NAMES = 0, REPLY_NEXT = 4 };

typedef struct {
    HostLink *link;
    char *uri;
    char *after; /* the page that was requested last begins after this name */
    DirectoryListingEvents events;
    gpointer data;
    GDestroyNotify destroy;
} Listing;

static void clear(gpointer pointer)
{
    Listing *listing = pointer;
    listing->destroy(listing->data);
    g_free(listing->after);
    g_free(listing->uri);
}

static void release(gpointer listing)
{
    g_rc_box_release_full(listing, clear);
}

/* Moves on to the page that follows the reply. FALSE if there is none. */
static gboolean advance(Listing *listing, GVariant *names, GVariant *reply)
{
    g_autoptr(GVariant) value = g_variant_get_child_value(reply, REPLY_NEXT);
    const char *next = g_variant_get_string(value, NULL);
    if (g_variant_n_children(names) == 0 || !item_name_is_after(next, listing->after))
        return FALSE;
    g_free(listing->after);
    listing->after = g_strdup(next);
    return TRUE;
}

static void request_page(Listing *listing);

static void on_page(GVariant *reply, const HostError *error, gpointer data)
{
    Listing *listing = data;
    if (!listing->events.is_wanted(listing->data))
        return;
    if (reply == NULL) {
        g_debug("RequestDirectory %s: %s", listing->uri, error->message);
        listing->events.ended(listing->data);
        return;
    }
    g_autoptr(GVariant) names = g_variant_get_child_value(reply, REPLY_NAMES);
    /* The next page is on its way while this one is applied. */
    const gboolean has_next = advance(listing, names, reply);
    if (has_next)
        request_page(listing);
    listing->events.page(names, reply, listing->data);
    if (!has_next && listing->events.is_wanted(listing->data))
        listing->events.ended(listing->data);
}

static void request_page(Listing *listing)
{
    host_link_call(listing->link, "RequestDirectory",
        g_variant_new("(ssua{sv})", listing->uri, listing->after, (guint32)PAGE, NULL), REPLY_TYPE, on_page,
        g_rc_box_acquire(listing), release);
}

void directory_listing_begin(HostLink *link, const char *directory_uri, const DirectoryListingEvents *events,
    gpointer data, GDestroyNotify destroy)
{
    Listing *listing = g_rc_box_new(Listing);
    *listing = (Listing){ link, g_strdup(directory_uri), g_strdup(""), *events, data, destroy };
    request_page(listing);
    release(listing);
}
