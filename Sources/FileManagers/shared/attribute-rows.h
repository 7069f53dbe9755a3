#pragma once

#include <glib.h>

/* What the service knows of an item, in words for a person. */

typedef struct {
    const char *name; /* static */
    char *value;
} AttributeRow;

/* Rows from a value of type a{sv}, as GetAttributes gives it; what is absent or of another type than agreed has none.
 * Times are given in the time zone. */
GArray *attribute_rows_read(GVariant *attributes, GTimeZone *zone);
