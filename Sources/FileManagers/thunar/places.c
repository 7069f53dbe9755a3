#include "places.h"

#include "host/observer.h"

struct Places {
    HostLink *link;
    TimeSlice slice;
    Observer *observer;
    char *asked; /* the directory, or NULL */
};

static void ask(Places *places, const char *directory_uri)
{
    if (places->asked != NULL)
        observer_hide(places->observer, places->asked);
    g_free(places->asked);
    places->asked = g_strdup(directory_uri);
    observer_show(places->observer, directory_uri);
}

gboolean places_hold(Places *places, const char *directory_uri, const char *item_uri)
{
    const Folders *folders = host_link_folders(places->link);
    if (folders_hold(folders, item_uri))
        return TRUE;
    if (folders_may_monitor(folders, directory_uri) || folders_uris(folders)->len == 0)
        return FALSE;
    if (g_strcmp0(places->asked, directory_uri) != 0)
        ask(places, directory_uri);
    return observer_holds(places->observer, item_uri);
}

/* No item is followed, and no badge requested. */
Places *places_new(HostLink *link)
{
    static const ItemMethods no_items = { 0 };
    static const ObserverEvents no_events = { 0 };
    Places *places = g_new0(Places, 1);
    places->link = link;
    places->slice = time_slice_new(g_get_monotonic_time);
    const ObserverParts parts = { link, &places->slice, &no_items, { .asks_by_name = TRUE } };
    places->observer = observer_new(&parts, &no_events, places);
    return places;
}

void places_free(Places *places)
{
    observer_free(places->observer);
    g_free(places->asked);
    g_free(places);
}
