#pragma once

#include "badge-values.h"
#include "habits.h"
#include "host-link.h"
#include "time-slice.h"

/*
 * Which directories this process shows, and the observation of each that can be monitored: begun with the first place
 * that shows it, ended with the last, begun again when the service comes back, resets, or gets new folders.
 */

typedef struct Observer Observer;

/* NULL for events that do not matter. */
typedef struct {
    BadgeValuesEvents values;
    /* A directory outside the registered folders turned out to lead into one. */
    void (*directory_found)(const char *directory_uri, gpointer data);
} ObserverEvents;

/* What it works with, which must outlive it; the link may end first, if nothing else is called any more. */
typedef struct {
    HostLink *link;
    TimeSlice *slice;
    const ItemMethods *items;
    Habits habits;
} ObserverParts;

Observer *observer_new(const ObserverParts *parts, const ObserverEvents *events, gpointer data);
void observer_free(Observer *observer);

/* A place for the directory, such as a tab, which may be behind others, was made or is no more. The URI is canonical.
 */
void observer_add_place(Observer *observer, const char *directory_uri);
void observer_remove_place(Observer *observer, const char *directory_uri);

/* A place that shows the directory appeared or went. */
void observer_show(Observer *observer, const char *directory_uri);
void observer_hide(Observer *observer, const char *directory_uri);

/* Whether the item is in a registered folder, as far as that is known: by its spelling, or because it is in a directory
 * that is shown and leads into one. */
gboolean observer_holds(const Observer *observer, const char *item_uri);

/* The entry of an item that the file manager asks about, which is to be attached to it; NULL for the root. */
DirectoryEntry *observer_entry(Observer *observer, const char *item_uri);

/* The same, attached to that object. */
DirectoryEntry *observer_track(Observer *observer, const char *item_uri, gpointer item);

/* The file manager asked about the item, and is answered with what is known. Requests the badge if it was not requested
 * yet and is not going to come with those of the whole directory. If no place is made for the directory, an item of it
 * is shown elsewhere, and the directory is observed until its items are gone or are not asked about any more. */
void observer_request(Observer *observer, DirectoryEntry *entry);

/* What is shown has changed: drops the items of directories that are not, for a file manager that never finalises them.
 * It is made to ask again about those that it shows. */
void observer_prune(Observer *observer);

/* No place shows the directory any more: ends its observation and drops its items, for a file manager that does not say
 * so of each place and item. */
void observer_forget(Observer *observer, const char *directory_uri);

/* Badges look different: they are shown in words as well. */
void observer_show_anew(Observer *observer);
