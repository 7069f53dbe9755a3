#pragma once

#include "file-manager.h"

/*
 * Items whose emblems are out of date. The file manager is told to ask again about them in slices of a few
 * milliseconds, after it has drawn, because telling it about ten thousand items at once would hold its window up. It
 * may ask within that very call, so this never happens while a table is walked.
 */

typedef struct RefreshQueue RefreshQueue;

RefreshQueue *refresh_queue_new(void);
void refresh_queue_free(RefreshQueue *queue);
void refresh_queue_add(RefreshQueue *queue, FmFileInfo *item);
