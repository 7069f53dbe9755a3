#pragma once

/* Has the icon theme look in a directory as well, through the function that appends it. The service names one when its
 * icons are outside XDG_DATA_DIRS. A directory in which every theme looks anyway is left out, and so is the last one a
 * second time. */
void icon_search_path_add(const char *path, void (*append)(const char *path));
