#pragma once

#include "observer.h"
#include "pending-updates.h"
#include "shared/attributes.h"
#include "shared/host-link.h"
#include "shared/menus.h"

/*
 * Everything that the plugin keeps in this process. It begins with the first question of the file manager, not when
 * the module is loaded: Nemo also loads modules into a program that only lists them.
 */

typedef struct {
    TimeSlice slice;
    HostLink *link;
    RefreshQueue *refresh;
    Observer *observer;
    PendingUpdates *pending;
    Menus *menus;
    Attributes *attributes;
} Session;

Session *session_get(void);
void session_end(void);

/* Who shows the menus. `answered`: the service answered; if the file manager was given nothing for that question, its
 * menu may be on the screen without. `changed`: the file manager has to ask for its menus again, in every window.
 * Begins no session; to be called once, before it begins. */
void session_set_menu_events(void (*answered)(GVariant *question, const MenuAnswer *answer), void (*changed)(void));

/* The attribute of an item that holds its state in words. */
#define STATE_ATTRIBUTE "roundel_state"

/* A list view may show the states in words from now on. Only then are they added: a file manager takes each attribute
 * for another change of the item. Begins no session. */
void session_show_states(void);

/* Adds the emblems of an item and, if it is shown, the state in words, as far as the badge is known. From now on the
 * item is followed. Returns its entry, or NULL for an item that is not local. */
DirectoryEntry *session_update_item(Session *session, FmFileInfo *item);
