#pragma once

#include "host/attributes.h"
#include "host/host-link.h"
#include "host/menus.h"
#include "host/observer.h"
#include "pending-updates.h"

/*
 * Everything that the plugin keeps in this process. It begins with the first question of the file manager, not when
 * the module is loaded, because Nemo also loads modules into a program that only lists them.
 */

typedef struct {
    TimeSlice slice;
    HostLink *link;
    Observer *observer;
    PendingUpdates *pending;
    Menus *menus;
    Attributes *attributes;
} Session;

Session *session_get(void);
void session_end(void);

/* Sets what is called when the service has answered for a menu, and when the file manager has to ask for its menus
 * again in every window. To be called once, before the session begins; does not begin it. */
void session_set_menu_events(void (*answered)(GVariant *question, const MenuAnswer *answer), void (*changed)(void));

/* The attribute of an item that holds its state in words. */
#define STATE_ATTRIBUTE "roundel_state"

/* A list view may show the states in words from now on. They are not added before, because each attribute makes a file
 * manager handle another change of the item. Does not begin the session. */
void session_show_states(void);

/* Adds the emblems of an item and, if it is shown, the state in words, as far as the badge is known. From now on the
 * item is followed. Returns its entry, or NULL for an item that is not local. */
DirectoryEntry *session_update_item(Session *session, FmFileInfo *item);
