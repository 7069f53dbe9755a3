#include "attribute-grid.h"

#include "host/attribute-rows.h"
#include "words/words.h"

enum { MARGIN = 12, NARROW = 6, WIDTH_IN_CHARACTERS = 40 };

static GtkWidget *make_label(const char *text)
{
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_yalign(GTK_LABEL(label), 0);
    return label;
}

static GtkWidget *make_value(const char *text)
{
    GtkWidget *label = make_label(text);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_max_width_chars(GTK_LABEL(label), WIDTH_IN_CHARACTERS);
    gtk_widget_set_hexpand(label, TRUE);
    return label;
}

static void unselect(GtkWidget *label, gpointer data)
{
    (void)data;
    gtk_label_select_region(GTK_LABEL(label), 0, 0);
}

static gboolean unselect_all(gpointer page)
{
    gtk_container_foreach(page, unselect, NULL);
    return G_SOURCE_REMOVE;
}

/* GTK selects the whole text of the label that gets the focus when its page is shown, which looks like a mistake. */
static void unselect_all_later(GtkWidget *page)
{
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, unselect_all, g_object_ref(page), g_object_unref);
}

static void remove_row(GtkWidget *label, gpointer data)
{
    (void)data;
    gtk_widget_destroy(label);
}

static void on_arrived(GVariant *values, gpointer data)
{
    GtkContainer *page = data;
    gtk_container_foreach(page, remove_row, NULL);
    g_autoptr(GTimeZone) zone = g_time_zone_new_local();
    g_autoptr(GArray) rows = attribute_rows_read(values, zone);
    for (guint i = 0; i < rows->len; i++) {
        const AttributeRow *row = &g_array_index(rows, AttributeRow, i);
        g_autofree char *name = words_filled(/* Translators: the name of a row. */ _("{1}:"), row->name, NULL);
        gtk_grid_attach(GTK_GRID(page), make_label(name), 0, (gint)i, 1, 1);
        gtk_grid_attach(GTK_GRID(page), make_value(row->value), 1, (gint)i, 1, 1);
    }
    gtk_widget_show_all(GTK_WIDGET(page));
    unselect_all_later(GTK_WIDGET(page));
}

static void on_destroy(GtkWidget *page, gpointer follower)
{
    (void)page;
    attributes_unfollow(follower);
}

GtkWidget *attribute_grid_new(Attributes *attributes, const char *uri)
{
    GtkWidget *page = gtk_grid_new();
    gtk_container_set_border_width(GTK_CONTAINER(page), MARGIN);
    gtk_grid_set_row_spacing(GTK_GRID(page), NARROW);
    gtk_grid_set_column_spacing(GTK_GRID(page), MARGIN);
    AttributeFollower *follower = attributes_follow(attributes, uri, on_arrived, page);
    g_signal_connect(page, "map", G_CALLBACK(unselect_all_later), NULL);
    g_signal_connect(page, "destroy", G_CALLBACK(on_destroy), follower);
    gtk_widget_show(page);
    return page;
}
