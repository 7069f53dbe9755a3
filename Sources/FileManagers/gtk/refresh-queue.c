#include "refresh-queue.h"

/* Below redrawing, and below the idle sources in which the file managers apply a late answer: that would undo a request
 * to ask again which came just before. */
#define PRIORITY (G_PRIORITY_DEFAULT_IDLE + 1)
#define SLICE_MICROSECONDS 4000

struct RefreshQueue {
    GQueue items; /* referenced; they are held for milliseconds only */
    GHashTable *queued;
    guint source;
};

RefreshQueue *refresh_queue_new(void)
{
    RefreshQueue *queue = g_new0(RefreshQueue, 1);
    g_queue_init(&queue->items);
    queue->queued = g_hash_table_new(NULL, NULL);
    return queue;
}

void refresh_queue_free(RefreshQueue *queue)
{
    if (queue->source != 0)
        g_source_remove(queue->source);
    g_queue_clear_full(&queue->items, g_object_unref);
    g_hash_table_unref(queue->queued);
    g_free(queue);
}

static gboolean refresh_slice(gpointer data)
{
    RefreshQueue *queue = data;
    gint64 end = g_get_monotonic_time() + SLICE_MICROSECONDS;
    do {
        g_autoptr(GObject) item = g_queue_pop_head(&queue->items);
        if (item == NULL) {
            queue->source = 0;
            return G_SOURCE_REMOVE;
        }
        g_hash_table_remove(queue->queued, item);
        fm_file_info_invalidate((FmFileInfo *)item);
    } while (g_get_monotonic_time() < end);
    return G_SOURCE_CONTINUE;
}

void refresh_queue_add(RefreshQueue *queue, FmFileInfo *item)
{
    if (!g_hash_table_add(queue->queued, item))
        return;
    g_queue_push_tail(&queue->items, g_object_ref(item));
    if (queue->source == 0)
        queue->source = g_idle_add_full(PRIORITY, refresh_slice, queue, NULL);
}
