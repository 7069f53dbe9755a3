#pragma once

#include "menu-item.h"

/*
 * The menus that the service gave, by their questions. An answer is shown at once however old it is, because the file
 * manager is not to wait; it is asked for again when the file manager next wants it and it may be out of date. Times
 * are microseconds of one clock.
 */

/* How long an answer counts as fresh. Longer than a file manager takes to ask again for what it was told has changed.
 */
enum { MENU_FRESH_MICROSECONDS = 1000000 };

typedef struct {
    guint64 menu_id;
    GPtrArray *items; /* of MenuItem */
} MenuAnswer;

typedef struct MenuCache MenuCache;

MenuCache *menu_cache_new(void);
void menu_cache_free(MenuCache *cache);

/* The last answer, or NULL. Valid until the cache is next changed. */
const MenuAnswer *menu_cache_find(MenuCache *cache, GVariant *question);

/* Whether the question is to be asked now. If so, it counts as being asked until it is answered or failed. */
gboolean menu_cache_begin_asking(MenuCache *cache, GVariant *question, gint64 now);

/* Takes the answer, of type (taa{sv}a{sv}). TRUE if the file manager is to ask again: the menu is not
 * the one that was there, or may be out of date already. */
gboolean menu_cache_put(MenuCache *cache, GVariant *question, GVariant *reply, gint64 now);
void menu_cache_fail(MenuCache *cache, GVariant *question);

/* The answer, should there be one, is to be asked for again even if it is fresh. */
void menu_cache_outdate_one(MenuCache *cache, GVariant *question);

/* Something happened that menus may depend on: every answer is to be asked for again when it is next wanted. */
void menu_cache_outdate(MenuCache *cache);

/* Forgets every answer. TRUE if there was any. */
gboolean menu_cache_clear(MenuCache *cache);
