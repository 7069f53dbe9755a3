#pragma once

#include <glib.h>

/* The states in the service's `FolderStatus` property, on which menus depend: a paused folder can be resumed. */

typedef struct FolderStates FolderStates;

FolderStates *folder_states_new(void);
void folder_states_free(FolderStates *states);

/* Replaces them all by a value of type a{s(usy)}. TRUE if a state differs, not just a text or a progress. */
gboolean folder_states_set(FolderStates *states, GVariant *value);
void folder_states_clear(FolderStates *states);
