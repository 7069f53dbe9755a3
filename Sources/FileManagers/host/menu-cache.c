#include "menu-cache.h"

#include "menu-question.h"

/* A file manager asks for each of its windows after every change; no user has this many open. */
#define CAPACITY 64

struct MenuCache {
    GHashTable *entries; /* question → Entry */
    GQueue recent;       /* of Entry, the last asked for first */
};

typedef struct {
    GList link; /* in `recent` */
    GVariant *question;
    MenuAnswer answer; /* without items until there is one */
    guint64 awaited;   /* the menu that is to be completed; 0 for none */
    gboolean asking;
    gboolean outdated;
    gint64 answered;
} Entry;

static void entry_free(gpointer pointer)
{
    Entry *entry = pointer;
    g_clear_pointer(&entry->answer.items, g_ptr_array_unref);
    g_variant_unref(entry->question);
    g_free(entry);
}

MenuCache *menu_cache_new(void)
{
    MenuCache *cache = g_new0(MenuCache, 1);
    g_queue_init(&cache->recent);
    cache->entries = g_hash_table_new_full(menu_question_hash, menu_question_equal, NULL, entry_free);
    return cache;
}

void menu_cache_free(MenuCache *cache)
{
    g_hash_table_unref(cache->entries);
    g_free(cache);
}

static void remove_oldest(MenuCache *cache)
{
    Entry *oldest = g_queue_peek_tail(&cache->recent);
    g_queue_unlink(&cache->recent, &oldest->link);
    g_hash_table_remove(cache->entries, oldest->question);
}

static Entry *touch(MenuCache *cache, GVariant *question)
{
    Entry *entry = g_hash_table_lookup(cache->entries, question);
    if (entry == NULL) {
        if (cache->recent.length == CAPACITY)
            remove_oldest(cache);
        entry = g_new0(Entry, 1);
        entry->link.data = entry;
        entry->question = g_variant_ref(question);
        g_hash_table_insert(cache->entries, entry->question, entry);
    } else {
        g_queue_unlink(&cache->recent, &entry->link);
    }
    g_queue_push_head_link(&cache->recent, &entry->link);
    return entry;
}

const MenuAnswer *menu_cache_find(MenuCache *cache, GVariant *question)
{
    const Entry *entry = g_hash_table_lookup(cache->entries, question);
    return entry == NULL || entry->answer.items == NULL ? NULL : &entry->answer;
}

gboolean menu_cache_begin_asking(MenuCache *cache, GVariant *question, gint64 now)
{
    Entry *entry = touch(cache, question);
    gboolean fresh = entry->answer.items != NULL && !entry->outdated && now - entry->answered < MENU_FRESH_MICROSECONDS;
    if (entry->asking || fresh)
        return FALSE;
    entry->asking = TRUE;
    entry->outdated = FALSE;
    return TRUE;
}

gboolean menu_cache_put(MenuCache *cache, GVariant *question, GVariant *reply, gint64 now)
{
    Entry *entry = g_hash_table_lookup(cache->entries, question);
    if (entry == NULL)
        return FALSE;
    const MenuAnswer answer = menu_answer_read(reply);
    entry->awaited = answer.is_incomplete ? answer.menu_id : 0;
    entry->answered = now;
    entry->asking = FALSE;
    GPtrArray *before = entry->answer.items;
    /* The service keeps the last menu for some minutes, so that it can be used meanwhile. */
    if (answer.is_incomplete && before != NULL && !entry->answer.is_incomplete) {
        g_ptr_array_unref(answer.items);
        return entry->outdated;
    }
    /* A menu that became outdated during the request has to be requested again. */
    gboolean changed = entry->outdated
                       || (before == NULL ? answer.items->len > 0 : !menu_items_equal(before, answer.items));
    g_clear_pointer(&before, g_ptr_array_unref);
    entry->answer = answer;
    return changed;
}

GVariant *menu_cache_awaited(MenuCache *cache, guint64 menu_id)
{
    for (GList *link = cache->recent.head; link != NULL; link = link->next) {
        const Entry *entry = link->data;
        if (menu_id != 0 && entry->awaited == menu_id)
            return entry->question;
    }
    return NULL;
}

void menu_cache_fail(MenuCache *cache, GVariant *question)
{
    Entry *entry = g_hash_table_lookup(cache->entries, question);
    if (entry != NULL)
        entry->asking = FALSE;
}

void menu_cache_outdate_one(MenuCache *cache, GVariant *question)
{
    Entry *entry = g_hash_table_lookup(cache->entries, question);
    if (entry != NULL && !entry->asking)
        entry->outdated = TRUE;
}

void menu_cache_outdate(MenuCache *cache)
{
    for (GList *link = cache->recent.head; link != NULL; link = link->next)
        ((Entry *)link->data)->outdated = TRUE;
}

gboolean menu_cache_clear(MenuCache *cache)
{
    gboolean had_items = FALSE;
    for (GList *link = cache->recent.head; link != NULL; link = link->next) {
        const Entry *entry = link->data;
        had_items |= entry->answer.items != NULL && entry->answer.items->len > 0;
    }
    g_queue_init(&cache->recent);
    g_hash_table_remove_all(cache->entries);
    return had_items;
}
