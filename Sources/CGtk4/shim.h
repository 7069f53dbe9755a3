#ifndef ROUNDEL_CGTK4_SHIM_H
#define ROUNDEL_CGTK4_SHIM_H

#include <adwaita.h>
#include <libintl.h>

/* What Swift does not import: macros that cast, and functions with any number of arguments. */

static inline GType cgtk4_value_type(const GValue *value)
{
    return G_VALUE_TYPE(value);
}

static const GType CGTK4_TYPE_BOOLEAN = G_TYPE_BOOLEAN;
static const GType CGTK4_TYPE_INT = G_TYPE_INT;
static const GType CGTK4_TYPE_STRING = G_TYPE_STRING;
static const GType CGTK4_TYPE_VARIANT = G_TYPE_VARIANT;

static inline const GVariantType *cgtk4_string_type(void)
{
    return G_VARIANT_TYPE_STRING;
}

static inline void cgtk4_set_accessible_label(GtkWidget *widget, const char *text)
{
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static inline void cgtk4_set_accessible_description(GtkWidget *widget, const char *text)
{
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* A question over a window. Its texts may have any characters, so that they are no formats and no markup. */
static inline gpointer cgtk4_message_dialog(gpointer window, const char *heading, const char *body)
{
    GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(window), NULL, NULL);
    adw_message_dialog_set_heading(ADW_MESSAGE_DIALOG(dialog), heading);
    adw_message_dialog_set_body(ADW_MESSAGE_DIALOG(dialog), body);
    adw_message_dialog_set_close_response(ADW_MESSAGE_DIALOG(dialog), "cancel");
    return dialog;
}

static inline void cgtk4_message_dialog_add(gpointer dialog, const char *id, const char *label, gboolean is_destructive)
{
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), id, label);
    if (is_destructive)
        adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), id, ADW_RESPONSE_DESTRUCTIVE);
}

static inline void cgtk4_message_dialog_present(gpointer dialog)
{
    gtk_window_present(GTK_WINDOW(dialog));
}

/* Text of a view in the colour of a tag; NULL for none. */
static inline void cgtk4_text_tag(GtkTextBuffer *buffer, const char *name, const char *background)
{
    gtk_text_buffer_create_tag(buffer, name, "paragraph-background", background, NULL);
}

static inline void cgtk4_text_append(GtkTextBuffer *buffer, const char *text, const char *tag)
{
    GtkTextIter end;
    gtk_text_buffer_get_end_iter(buffer, &end);
    if (tag)
        gtk_text_buffer_insert_with_tags_by_name(buffer, &end, text, -1, tag, NULL);
    else
        gtk_text_buffer_insert(buffer, &end, text, -1);
}

static inline gpointer cgtk4_about(gpointer parent, const char *version)
{
    GtkWidget *about = adw_about_window_new();
    g_object_set(about, "transient-for", parent, "modal", TRUE, "application-name", "Roundel", "application-icon",
        "org.roundel.Roundel", "version", version, NULL);
    return about;
}

static inline void cgtk4_stack_page(
    GtkWidget *stack, GtkWidget *child, const char *name, const char *title, const char *icon)
{
    adw_view_stack_add_titled(ADW_VIEW_STACK(stack), child, name, title);
    adw_view_stack_page_set_icon_name(adw_view_stack_get_page(ADW_VIEW_STACK(stack), child), icon);
}

static inline void cgtk4_stack_badge(GtkWidget *stack, GtkWidget *child, guint number)
{
    AdwViewStackPage *page = adw_view_stack_get_page(ADW_VIEW_STACK(stack), child);
    adw_view_stack_page_set_badge_number(page, number);
    adw_view_stack_page_set_needs_attention(page, number > 0);
}

/* Lets a key do an action in every window of an application. */
static inline void cgtk4_set_key(gpointer application, const char *action, const char *key)
{
    const char *keys[] = { key, NULL };
    gtk_application_set_accels_for_action(GTK_APPLICATION(application), action, keys);
}

/* The URI of the first of the files that a program is asked to open, to be freed; NULL for none. */
static inline char *cgtk4_first_file(gpointer files)
{
    return files && *(GFile **)files ? g_file_get_uri(*(GFile **)files) : NULL;
}

/* Starts a program with two files and leaves it to itself. */
static inline gboolean cgtk4_start(const char *program, const char *first, const char *second)
{
    const char *words[] = { program, first, second, NULL };
    GSubprocess *started = g_subprocess_newv(words, G_SUBPROCESS_FLAGS_NONE, NULL);
    if (!started)
        return FALSE;
    g_object_unref(started);
    return TRUE;
}

#endif
