#pragma once

#include "menu-item.h"

/*
 * The service's answers for menus, by their questions. An answer is shown at once however old it is, because the file
 * manager must not wait; the service is asked again when the file manager next asks for a menu that may be out of date.
 * Times are microseconds of one clock.
 */

/* How long an answer counts as fresh: longer than a file manager needs to ask again after a change. */
enum { MENU_FRESH_MICROSECONDS = 1000000 };

typedef struct MenuCache MenuCache;

MenuCache *menu_cache_new(void);
void menu_cache_free(MenuCache *cache);

/* The last answer, or NULL. Valid until the cache is next changed. */
const MenuAnswer *menu_cache_find(MenuCache *cache, GVariant *question);

/* Whether to ask the question now. If so, it counts as being asked until it is answered or has failed. */
gboolean menu_cache_begin_asking(MenuCache *cache, GVariant *question, gint64 now);

/* Keeps the answer, of type MENU_REPLY_TYPE; one that is not complete only where there is no other. TRUE if the file
 * manager has to ask again: the menu differs from the last one, or may be out of date already. */
gboolean menu_cache_put(MenuCache *cache, GVariant *question, GVariant *reply, gint64 now);

/* The question whose last answer was this menu, which was not complete; NULL if there is none. */
GVariant *menu_cache_awaited(MenuCache *cache, guint64 menu_id);
void menu_cache_fail(MenuCache *cache, GVariant *question);

/* Makes the next request ask the service again, even if its answer is fresh. */
void menu_cache_outdate_one(MenuCache *cache, GVariant *question);

/* Something changed that menus may depend on: each is requested again when the file manager next asks for it. */
void menu_cache_outdate(MenuCache *cache);

/* Forgets every answer. TRUE if there was any. */
gboolean menu_cache_clear(MenuCache *cache);
