#pragma once

#include "directory.h"
#include "host-link.h"
#include "refresh-queue.h"

/*
 * Which directories this process shows, and the observation of each that can be monitored: begun with the first place
 * that shows it, ended with the last, begun again when the service comes back, resets, or gets new folders.
 */

typedef struct {
    /* The values of a directory are there, or will not come. */
    void (*settled)(const char *directory_uri, gpointer data);
    /* The value of an item is not what it was. */
    void (*item_changed)(const char *directory_uri, const char *name, BadgeChange change, gpointer data);
} ObserverEvents;

Observer *observer_new(HostLink *link, RefreshQueue *refresh, const ObserverEvents *events, gpointer data);
void observer_free(Observer *observer);

HostLink *observer_link(Observer *observer);

/* A place that shows the directory appeared or went. The URI is canonical. */
void observer_show(Observer *observer, const char *directory_uri);
void observer_hide(Observer *observer, const char *directory_uri);

/* The entry of an item that the file manager asks about. The item is followed, but not kept, from now on. */
DirectoryEntry *observer_track(Observer *observer, const char *item_uri, FmFileInfo *item);

/* Drops the items of directories that are not shown, for a file manager that never finalises them; it is made to ask
 * again should they be shown once more. */
void observer_prune(Observer *observer);

/* The service came, went, or has other folders. */
void observer_connected(Observer *observer);
void observer_gone(Observer *observer);
void observer_folders_changed(Observer *observer);

/* Badges are shown in another way: with other images, or in words as well. */
void observer_show_anew(Observer *observer);

/* For the requests of an observation: values arrived, the columns after the names in a tuple from `first_value` on;
 * left out if they are not well formed. No more values are outstanding. */
void observer_apply(Observer *observer, Directory *directory, GVariant *names, GVariant *tuple, gsize first_value);
void observer_settle(Observer *observer, Directory *directory);

/* Identifies an observation across a call. */
typedef struct {
    Observer *observer;
    char *directory_uri;
    guint64 generation;
    GVariant *names; /* of a request by name, or NULL */
} Observation;

Observation *observation_new(Observer *observer, const Directory *directory);
void observation_free(gpointer observation);

/* The observed directory, or NULL if that observation is over. */
Directory *observation_directory(const Observation *observation);
