#pragma once

#include "file-manager.h"
#include "host/time-slice.h"

/*
 * Questions of the file manager that wait for the service. A file manager asks one question at a time for each
 * directory and draws nothing more of it meanwhile, so a question waits a quarter of a second at most; a value that
 * comes later refreshes the item.
 */

typedef struct PendingUpdates PendingUpdates;

typedef struct {
    FmInfoProvider *provider;
    FmFileInfo *item;
    GClosure *complete;
} PendingUpdate;

/* Called before a question is answered, so that the emblems can be added. A postponed one has not been examined yet.
 */
typedef void (*PendingUpdateAnswer)(FmFileInfo *item, gboolean was_postponed, gpointer data);

/* Calls a function once after so many milliseconds, as g_timeout_add does, and returns the number of its source. */
typedef guint (*PendingUpdateTimer)(guint milliseconds, GSourceFunc function, gpointer data);

/* The slice must outlive it. */
PendingUpdates *pending_updates_new(
    TimeSlice *slice, PendingUpdateTimer start_timer, PendingUpdateAnswer answer, gpointer data);
void pending_updates_free(PendingUpdates *updates);

FmOperationHandle *pending_updates_add(PendingUpdates *updates, const PendingUpdate *update, const char *directory_uri);

/* Answers the question in a later turn of the main loop, after input and drawing. */
FmOperationHandle *pending_updates_postpone(PendingUpdates *updates, const PendingUpdate *update);

/* The file manager no longer wants an answer. Does nothing for a question that was answered. */
void pending_updates_cancel(PendingUpdates *updates, FmOperationHandle *handle);

/* Answers the questions about the directory in the next turn of the main loop: nothing more will be known of it. */
void pending_updates_answer(PendingUpdates *updates, const char *directory_uri);
