#include "location-strip.h"

#define COLLAPSED "roundel-collapsed-border"

static void set_frame_shadow(GtkWidget *widget, GtkShadowType shadow)
{
    GtkWidget *frame = gtk_widget_get_ancestor(widget, GTK_TYPE_FRAME);
    if (frame != NULL)
        gtk_frame_set_shadow_type(GTK_FRAME(frame), shadow);
}

static gboolean is_only_child(GtkWidget *box)
{
    g_autoptr(GList) children = gtk_container_get_children(GTK_CONTAINER(box));
    return children->next == NULL;
}

void location_strip_collapse(GtkWidget *widget)
{
    GtkWidget *box = gtk_widget_get_parent(widget);
    if (box == NULL || !is_only_child(box) || g_object_get_data(G_OBJECT(box), COLLAPSED) != NULL)
        return;
    guint border = gtk_container_get_border_width(GTK_CONTAINER(box));
    /* One more than the width, because NULL stands for a box that is not collapsed. */
    g_object_set_data(G_OBJECT(box), COLLAPSED, GUINT_TO_POINTER(border + 1));
    gtk_container_set_border_width(GTK_CONTAINER(box), 0);
    set_frame_shadow(box, GTK_SHADOW_NONE);
}

void location_strip_restore(GtkWidget *widget)
{
    GtkWidget *box = gtk_widget_get_parent(widget);
    gpointer border = box == NULL ? NULL : g_object_steal_data(G_OBJECT(box), COLLAPSED);
    if (border == NULL)
        return;
    gtk_container_set_border_width(GTK_CONTAINER(box), GPOINTER_TO_UINT(border) - 1);
    set_frame_shadow(box, GTK_SHADOW_IN);
}
