#pragma once

#include "badge-images.h"
#include "badge.h"

/* A badge in words, for a column and for a screen reader: its label, with the progress if there is one. "" for none. */
char *state_text(const Badge *badge, const BadgeImages *images);
