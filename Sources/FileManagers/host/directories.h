#pragma once

#include "directory.h"

/* The directories that the file manager shows or asked about, by their canonical URIs. */

typedef struct Directories Directories;

/* The events must outlive them. */
Directories *directories_new(const DirectoryEvents *events);
void directories_free(Directories *directories);

/* The directory, or NULL. */
Directory *directories_find(const Directories *directories, const char *uri);

/* The directory, a new one if there was none. */
Directory *directories_ensure(Directories *directories, const char *uri);

void directories_remove(Directories *directories, const char *uri);

/* Calls the function for each directory. It must not add or remove directories. */
void directories_visit(
    const Directories *directories, void (*visit)(Directory *directory, gpointer data), gpointer data);

/* Removes the directories for which the function returns TRUE. */
void directories_remove_if(
    Directories *directories, gboolean (*is_removed)(Directory *directory, gpointer data), gpointer data);
