#pragma once

#include <glib.h>

/* The attributes of an item, in words for a person. */

typedef struct {
    const char *name; /* static */
    char *value;
} AttributeRow;

/* Rows from a value of type a{sv}, as GetAttributes gives it; absent values and those of a wrong type have none.
 * Times are given in the time zone. */
GArray *attribute_rows_read(GVariant *attributes, GTimeZone *zone);
