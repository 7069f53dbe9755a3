#pragma once

#include "host-loop.h"
#include "item-methods.h"

/*
 * Items whose emblems are out of date. The file manager is made to ask about them again, in slices of a few
 * milliseconds after it has drawn: ten thousand items at once would block its window. It may ask within that call, so
 * the call is never made during an iteration over a table.
 */

typedef struct RefreshQueue RefreshQueue;

RefreshQueue *refresh_queue_new(const HostLoop *loop, const ItemMethods *methods);
void refresh_queue_free(RefreshQueue *queue);
void refresh_queue_add(RefreshQueue *queue, gpointer item);
