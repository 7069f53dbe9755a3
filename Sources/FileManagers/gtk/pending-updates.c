#include "pending-updates.h"

enum { PATIENCE_MILLISECONDS = 250 };

struct PendingUpdates {
    TimeSlice *slice;
    PendingUpdateTimer start_timer;
    PendingUpdateAnswer answer;
    gpointer data;
    GHashTable *questions; /* handle → Question; handles are used once, so that an old one finds nothing */
    gsize last_handle;
};

typedef struct {
    PendingUpdates *updates;
    gpointer handle;
    PendingUpdate update;
    char *directory_uri; /* NULL when it was postponed */
    guint source;
} Question;

static void question_free(gpointer pointer)
{
    Question *question = pointer;
    if (question->source != 0)
        g_source_remove(question->source);
    g_object_unref(question->update.provider);
    g_object_unref(question->update.item);
    g_closure_unref(question->update.complete);
    g_free(question->directory_uri);
    g_free(question);
}

PendingUpdates *pending_updates_new(
    TimeSlice *slice, PendingUpdateTimer start_timer, PendingUpdateAnswer answer, gpointer data)
{
    PendingUpdates *updates = g_new0(PendingUpdates, 1);
    updates->slice = slice;
    updates->start_timer = start_timer;
    updates->answer = answer;
    updates->data = data;
    updates->questions = g_hash_table_new_full(NULL, NULL, NULL, question_free);
    return updates;
}

void pending_updates_free(PendingUpdates *updates)
{
    g_hash_table_unref(updates->questions);
    g_free(updates);
}

static gboolean answer(gpointer data)
{
    Question *question = data;
    PendingUpdates *updates = question->updates;
    time_slice_begin(updates->slice);
    g_hash_table_steal(updates->questions, question->handle);
    question->source = 0;
    updates->answer(question->update.item, question->directory_uri == NULL, updates->data);
    fm_info_provider_update_complete(
        question->update.complete, question->update.provider, question->handle, FM_OPERATION_COMPLETE);
    question_free(question);
    return G_SOURCE_REMOVE;
}

static Question *question_new(PendingUpdates *updates, const PendingUpdate *update, const char *directory_uri)
{
    Question *question = g_new(Question, 1);
    *question = (Question){
        .updates = updates,
        .handle = GSIZE_TO_POINTER(++updates->last_handle),
        .update = {
            .provider = g_object_ref(update->provider),
            .item = g_object_ref(update->item),
            .complete = g_closure_ref(update->complete),
        },
        .directory_uri = g_strdup(directory_uri),
    };
    g_hash_table_insert(updates->questions, question->handle, question);
    return question;
}

FmOperationHandle *pending_updates_add(PendingUpdates *updates, const PendingUpdate *update, const char *directory_uri)
{
    Question *question = question_new(updates, update, directory_uri);
    question->source = updates->start_timer(PATIENCE_MILLISECONDS, answer, question);
    return question->handle;
}

FmOperationHandle *pending_updates_postpone(PendingUpdates *updates, const PendingUpdate *update)
{
    Question *question = question_new(updates, update, NULL);
    question->source = g_idle_add(answer, question);
    return question->handle;
}

void pending_updates_cancel(PendingUpdates *updates, FmOperationHandle *handle)
{
    g_hash_table_remove(updates->questions, handle);
}

void pending_updates_answer(PendingUpdates *updates, const char *directory_uri)
{
    GHashTableIter questions;
    gpointer value;
    g_hash_table_iter_init(&questions, updates->questions);
    while (g_hash_table_iter_next(&questions, NULL, &value)) {
        Question *question = value;
        if (g_strcmp0(question->directory_uri, directory_uri) != 0)
            continue;
        g_source_remove(question->source);
        question->source = g_idle_add_full(G_PRIORITY_DEFAULT, answer, question, NULL);
    }
}
