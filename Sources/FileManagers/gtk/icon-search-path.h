#pragma once

/* Has the icon theme search a directory as well; the service names one when its icons are outside XDG_DATA_DIRS. */
void icon_search_path_add(const char *path);
