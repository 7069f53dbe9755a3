#pragma once

#include "file-manager.h"

/* A file manager's objects, played by a test: items, and questions about them. */

/* A new item with that URI. */
FmFileInfo *fake_item_new(const char *uri);

/* A new item of a virtual place, which opens another. */
FmFileInfo *fake_virtual_item_new(const char *uri, const char *opened);

/* How often the file manager was made to ask about the item again. */
guint fake_item_invalidations(FmFileInfo *item);

/* A new object that a plugin answers for. */
FmInfoProvider *fake_provider_new(void);

/* A question of the file manager, and how it was answered. */
typedef struct {
    GClosure *complete;
    guint answers;
    gpointer handle; /* that of the last answer */
} FakeQuestion;

/* The closure that answers the question; the question must not move. */
void fake_question_init(FakeQuestion *question);
void fake_question_clear(FakeQuestion *question);
