#pragma once

#include "file-manager.h"

/*
 * Questions of the file manager that wait for the service. A file manager asks one question at a time for each
 * directory and draws nothing further of it meanwhile, so a question waits a quarter of a second at most; a value that
 * comes later refreshes the item.
 */

typedef struct PendingUpdates PendingUpdates;

typedef struct {
    FmInfoProvider *provider;
    FmFileInfo *item;
    GClosure *complete;
} PendingUpdate;

/* Called before a question is answered, so that the emblems can be added. */
typedef void (*PendingUpdateAnswer)(FmFileInfo *item, gpointer data);

PendingUpdates *pending_updates_new(PendingUpdateAnswer answer, gpointer data);
void pending_updates_free(PendingUpdates *updates);

FmOperationHandle *pending_updates_add(PendingUpdates *updates, const PendingUpdate *update, const char *directory_uri);

/* Answers the question, whose answer is known, in a later turn of the main loop, after input and drawing. */
FmOperationHandle *pending_updates_postpone(PendingUpdates *updates, const PendingUpdate *update);
void pending_updates_cancel(PendingUpdates *updates, FmOperationHandle *handle);

/* Everything that is going to be known of the directory is known: answers its questions, in the next turn of the loop.
 */
void pending_updates_settle(PendingUpdates *updates, const char *directory_uri);
