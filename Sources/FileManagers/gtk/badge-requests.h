#pragma once

#include "observer.h"

/* How the badges of an observed directory are asked for: whole, or by name in one batch for each turn of the loop. */

/* The observation has begun: asks for all that the file manager shows. */
void badge_requests_begin(Observer *observer, Directory *directory);

/* The file manager asked about an item of an observed directory whose badge it was not given. */
void badge_requests_add(Observer *observer, DirectoryEntry *entry);
