#pragma once

/* Calls `append` to add the directory of the service's icons to the icon theme, unless every theme looks there anyway
 * or it was added last. The service names such a directory when its icons are outside XDG_DATA_DIRS. */
void icon_search_path_add(const char *path, void (*append)(const char *path));
