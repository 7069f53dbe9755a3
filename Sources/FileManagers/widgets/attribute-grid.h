#pragma once

#include <gtk/gtk.h>

#include "host/attributes.h"

/* What the service knows of an item, as rows of a name and a value, for a properties dialog. It is empty until the
 * service answers. The URI is canonical. */
GtkWidget *attribute_grid_new(Attributes *attributes, const char *uri);
