#pragma once

#include <gtk/gtk.h>

/*
 * Caja draws its location widgets inside a frame with a margin, which an empty widget shows as a strip. While the
 * plugin's widget is the only one there, the strip is removed.
 */

void location_strip_collapse(GtkWidget *widget);
void location_strip_restore(GtkWidget *widget);
