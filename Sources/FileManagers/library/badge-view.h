#pragma once

#include "host/badge-images.h"
#include "roundel.h"

/* A badge as the program is shown it, with its words and icons. One is made at a time. */

typedef struct BadgeView BadgeView;

BadgeView *badge_view_new(void);
void badge_view_free(BadgeView *view);

/* NULL for none. Valid until the next one is made. */
const RoundelBadge *badge_view_make(BadgeView *view, const Badge *badge, const BadgeImages *images);
