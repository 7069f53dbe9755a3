#pragma once

#include <glib.h>

/* The attributes of an item, in words for the user. */

typedef struct {
    const char *name; /* static */
    char *value;
} AttributeRow;

/* Rows from a value of type a{sv}, as in the reply of GetAttributes, without missing values and those of a wrong type.
 * Times are given in the time zone. */
GArray *attribute_rows_read(GVariant *attributes, GTimeZone *zone);
