#pragma once

#include "badge.h"

/* The service's `Badges` property: the label and the icon of each badge identifier. */

typedef struct BadgeImages BadgeImages;

BadgeImages *badge_images_new(void);
void badge_images_free(BadgeImages *images);

/* Replaces them all by a value of type a{s(ss)}. */
void badge_images_set(BadgeImages *images, GVariant *value);
void badge_images_clear(BadgeImages *images);

/* The icon's name, or NULL for an identifier that the service did not name. */
const char *badge_images_icon(const BadgeImages *images, const char *identifier);

/* The label, or NULL in the same case. */
const char *badge_images_label(const BadgeImages *images, const char *identifier);

/* Whether a provider's own picture is among them, which may have come after the program had read its icon themes. */
gboolean badge_images_have_pictures(const BadgeImages *images);

/* Calls the visitor for the name of each icon that is laid over an item: that of its badge, and one for each of its
 * flags that has a picture. */
typedef void (*BadgeIconVisitor)(const char *icon, gpointer data);
void badge_images_visit_icons(const BadgeImages *images, const Badge *badge, BadgeIconVisitor visit, gpointer data);
