#pragma once

#include "file-manager.h"
#include "shared/badge-images.h"
#include "shared/badge.h"

/* Gives the item the emblem of its badge and one for each of its flags that has a picture. */
void emblems_add(FmFileInfo *item, const Badge *badge, const BadgeImages *images);
