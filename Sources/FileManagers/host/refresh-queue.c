#include "refresh-queue.h"

#define SLICE_MICROSECONDS 4000

struct RefreshQueue {
    const HostLoop *loop;
    const ItemMethods *methods;
    GQueue items; /* referenced; they are held for milliseconds only */
    GHashTable *queued;
    guint source;
};

RefreshQueue *refresh_queue_new(const HostLoop *loop, const ItemMethods *methods)
{
    RefreshQueue *queue = g_new0(RefreshQueue, 1);
    queue->loop = loop;
    queue->methods = methods;
    g_queue_init(&queue->items);
    queue->queued = g_hash_table_new(NULL, NULL);
    return queue;
}

void refresh_queue_free(RefreshQueue *queue)
{
    host_loop_clear(queue->loop, &queue->source);
    g_queue_clear_full(&queue->items, queue->methods->unref);
    g_hash_table_unref(queue->queued);
    g_free(queue);
}

static gboolean refresh_slice(gpointer data)
{
    RefreshQueue *queue = data;
    gint64 end = g_get_monotonic_time() + SLICE_MICROSECONDS;
    do {
        gpointer item = g_queue_pop_head(&queue->items);
        if (item == NULL) {
            queue->source = 0;
            return G_SOURCE_REMOVE;
        }
        g_hash_table_remove(queue->queued, item);
        queue->methods->refresh(item);
        queue->methods->unref(item);
    } while (g_get_monotonic_time() < end);
    return G_SOURCE_CONTINUE;
}

void refresh_queue_add(RefreshQueue *queue, gpointer item)
{
    if (!g_hash_table_add(queue->queued, item))
        return;
    g_queue_push_tail(&queue->items, queue->methods->ref(item));
    if (queue->source == 0)
        queue->source = host_loop_when_idle(queue->loop, refresh_slice, queue);
}
