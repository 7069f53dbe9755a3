#pragma once

#include "attributes.h"
#include "host-link.h"
#include "menus.h"
#include "observer.h"
#include "pending-updates.h"

/*
 * Everything that the plugin keeps in this process. It begins with the first question of the file manager, not when
 * the module is loaded: Nemo also loads modules into a program that only lists them.
 */

typedef struct {
    HostLink *link;
    RefreshQueue *refresh;
    Observer *observer;
    PendingUpdates *pending;
    Menus *menus;
    Attributes *attributes;
} Session;

Session *session_get(void);
void session_end(void);

/* A list view may show the states in words from now on. Only then are they added: a file manager takes each attribute
 * for another change of the item. Begins no session. */
void session_show_states(void);

/* Adds the emblems and the state in words, if they are shown, of an item that is followed, as far as its badge is
 * known; returns its entry, or NULL for an item that is not local. */
DirectoryEntry *session_update_item(Session *session, FmFileInfo *item);
