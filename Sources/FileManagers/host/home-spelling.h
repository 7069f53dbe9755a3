#pragma once

#include "folders.h"

/* Where the home directory is reached through a symlink (/home leads to /var/home on some systems), file managers and
 * the service may spell the same folder differently. Reads that one link; every program of the
 * session has read the directory already. */
void home_spelling_add(Folders *folders);
