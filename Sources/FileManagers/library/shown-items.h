#pragma once

#include "host/observer.h"

/* The directories and items that a host shows, and what it was told of each item. */

typedef struct ShownItems ShownItems;

typedef struct {
    /* The item has another badge, or its badge looks different. The host may do anything meanwhile. */
    void (*badge)(const char *uri, const Badge *badge, gpointer data);
    /* The value of an item changed. The host must do nothing meanwhile. */
    void (*item_changed)(const char *directory_uri, const char *name, BadgeChange change, gpointer data);
    /* A directory outside the registered folders leads into one. The same. */
    void (*directory_found)(const char *directory_uri, gpointer data);
} ShownItemsEvents;

/* The link must outlive the use of the items, and may be freed before they are. */
ShownItems *shown_items_new(HostLink *link, const Habits *habits, const ShownItemsEvents *events, gpointer data);
void shown_items_free(ShownItems *items);

/* URIs are canonical. */

void shown_items_show(ShownItems *items, const char *directory_uri);

/* FALSE if the directory is not shown. With the last one its items are forgotten. */
gboolean shown_items_hide(ShownItems *items, const char *directory_uri);

/* What is known of an item, which the host is told of from now on; NULL for the root. Valid until the next turn. */
const Badge *shown_items_badge(ShownItems *items, const char *uri);

/* The host shows the item no more. */
void shown_items_release(ShownItems *items, const char *uri);

gboolean shown_items_hold(const ShownItems *items, const char *uri);
