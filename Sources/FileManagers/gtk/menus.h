#pragma once

#include "host-link.h"
#include "menu-cache.h"

/*
 * The menus of the service for whatever the file manager asks about. It is answered from the cache; what the service
 * says meanwhile makes the file manager ask again.
 */

typedef struct Menus Menus;

typedef struct {
    /* The service answered. */
    void (*answered)(GVariant *question, const MenuAnswer *answer, gpointer data);
    /* The file manager is to ask for its menus again. */
    void (*changed)(gpointer data);
} MenusEvents;

Menus *menus_new(HostLink *link, const MenusEvents *events, gpointer data);
void menus_free(Menus *menus);

/* What the service last answered, or NULL. Asks it if that may be out of date. Valid until the loop next turns. */
const MenuAnswer *menus_find(Menus *menus, GVariant *question);

/* Asks the service, however fresh its last answer is. */
void menus_ask(Menus *menus, GVariant *question);

/* A choice that a person made in a menu that was shown. */
typedef struct {
    GVariant *question;
    guint64 menu_id;
    char *item_id;
} MenuChoice;

MenuChoice *menu_choice_new(GVariant *question, guint64 menu_id, const char *item_id);
MenuChoice *menu_choice_copy(const MenuChoice *choice);
void menu_choice_free(gpointer choice);

/* Acts. If the service no longer keeps that menu, it is asked for the same one again, and the same item of it is
 * activated if it is still there. The options are of type a{sv}. */
void menus_activate(Menus *menus, const MenuChoice *choice, GVariant *options);

/* Something happened that menus may depend on. */
void menus_outdate(Menus *menus);

/* The same, where the file manager asks again by itself. */
void menus_outdate_silently(Menus *menus);

/* The service went, and its menus with it. */
void menus_clear(Menus *menus);
