#pragma once

#include <glib.h>

/* The state of one item, from the service. */

enum {
    ITEM_PINNED = 1,
    ITEM_ONLINE_ONLY = 2,
    ITEM_SHARED = 4,
    ITEM_READ_ONLY = 8,
    ITEM_LOCKED = 16,
};

enum { PROGRESS_NONE = 255 };

typedef struct {
    GRefString *identifier; /* NULL: no badge */
    guint32 flags;
    guint8 progress; /* 0-100, or PROGRESS_NONE */
} Badge;

#define BADGE_NONE ((Badge){ .identifier = NULL, .flags = 0, .progress = PROGRESS_NONE })

gboolean badge_is_none(const Badge *badge);

typedef enum {
    BADGE_SAME,
    BADGE_PROGRESSED, /* nothing but the progress changed */
    BADGE_CHANGED,
} BadgeChange;

/* Replaces the value; returns how it changed. */
BadgeChange badge_set(Badge *badge, const char *identifier, guint32 flags, guint8 progress);

/* Removes the value. TRUE if there was one. */
gboolean badge_clear(Badge *badge);

/* The columns `as names, as badges, au flags, ay progress` of an answer or a signal. */
typedef struct {
    GVariant *names;
    GVariant *badges;
    GVariant *flags;
    GVariant *progress;
    gsize count;
} BadgeColumns;

typedef void (*BadgeColumnsVisitor)(
    const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data);

/* Reads the values from three neighbouring children of a tuple. FALSE if the columns differ in length; then nothing has
 * to be freed. Whoever reads the tuple does without formats that hold `&`: for them GLib serialises all of it first,
 * and looks through the whole column for each row that is read then. */
gboolean badge_columns_init(BadgeColumns *columns, GVariant *names, GVariant *tuple, gsize first_value);
void badge_columns_clear(BadgeColumns *columns);

/* Visits the rows from `first` up to, not including, `end`. */
void badge_columns_visit(const BadgeColumns *columns, gsize first, gsize end, BadgeColumnsVisitor visit, gpointer data);
