#pragma once

#include "host-link.h"
#include "menu-cache.h"

/*
 * The service's menus for the file manager's questions, which are kept up to date automatically. Questions are answered
 * from the cache; if the service later sends another answer, the file manager is made to ask again.
 */

typedef struct Menus Menus;

/* An event whose function is NULL is not reported. */
typedef struct {
    /* The service answered, or a late provider completed the answer. */
    void (*answered)(GVariant *question, const MenuAnswer *answer, gpointer data);
    /* A late provider completed a menu of this program, whoever asked for it. */
    void (*completed)(const MenuAnswer *answer, gpointer data);
    /* The file manager has to ask for its menus again. */
    void (*changed)(gpointer data);
    /* The options for Activate, when an item was chosen in that window, which may be NULL; floating, of type a{sv}. */
    GVariant *(*activation_options)(gpointer window);
    /* The chosen action has made a text for the user's clipboard. */
    void (*clipboard)(const char *text);
} MenusEvents;

/* The link must outlive the use of the menus, which menus_end ends. */
Menus *menus_new(HostLink *link, const MenusEvents *events, gpointer data);
Menus *menus_ref(Menus *menus);
void menus_unref(Menus *menus);

/* Releases the reference of menus_new. Items that are still on the screen have no effect any more. */
void menus_end(Menus *menus);

/* The service's last answer, or NULL. Asks it again if that may be out of date. Valid until the main loop runs again.
 */
const MenuAnswer *menus_find(Menus *menus, GVariant *question);

/* Asks the service, however fresh its last answer is. */
void menus_ask(Menus *menus, GVariant *question);

/* An item that the user chose in a menu on the screen. */
typedef struct {
    GVariant *question;
    guint64 menu_id;
    char *item_id;
} MenuChoice;

MenuChoice *menu_choice_new(GVariant *question, guint64 menu_id, const char *item_id);
MenuChoice *menu_choice_copy(const MenuChoice *choice);
void menu_choice_free(gpointer choice);

/* Activates the item. If the service no longer keeps that menu, it is asked for the same menu again, and the same item
 * is activated if it is still there. */
void menus_activate(Menus *menus, const MenuChoice *choice, gpointer window);

/* Something changed that menus may depend on, after which the file manager asks again on its own. */
void menus_outdate(Menus *menus);
