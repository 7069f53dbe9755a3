#pragma once

#include <thunarx/thunarx.h>

/* The canonical URI of Thunar's file, or NULL if it is no local item. */
char *file_uri(ThunarxFileInfo *file);
