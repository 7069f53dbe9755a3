#include "attribute-rows.h"

#include "words/words.h"

static void row_clear(gpointer row)
{
    g_free(((AttributeRow *)row)->value);
}

static void add(GArray *rows, const char *name, char *value)
{
    const AttributeRow row = { name, value };
    g_array_append_val(rows, row);
}

static void add_text(GArray *rows, GVariant *attributes, const char *key, const char *name)
{
    const char *text;
    if (g_variant_lookup(attributes, key, "&s", &text) && *text != '\0')
        add(rows, name, g_strdup(text));
}

static void add_state(GArray *rows, GVariant *attributes)
{
    const char *label = "";
    g_variant_lookup(attributes, "label", "&s", &label);
    add_text(rows, attributes, *label == '\0' ? "state" : "label", _("State"));
}

static void add_progress(GArray *rows, GVariant *attributes)
{
    guint8 progress;
    if (!g_variant_lookup(attributes, "progress", "y", &progress) || progress > 100)
        return;
    g_autofree char *percent = g_strdup_printf("%u", progress);
    /* Translators: no line break before the sign. */
    add(rows, _("Progress"), words_filled(_("{1}\u00a0%"), percent, NULL));
}

static void add_bytes(GArray *rows, GVariant *attributes)
{
    guint64 done;
    guint64 total;
    gboolean has_total = g_variant_lookup(attributes, "bytes-total", "t", &total);
    g_autofree char *total_text = has_total ? g_format_size(total) : NULL;
    if (g_variant_lookup(attributes, "bytes-done", "t", &done)) {
        g_autofree char *done_text = g_format_size(done);
        add(rows, _("Transferred"),
            has_total ? words_filled(/* Translators: two sizes. */ _("{1} of {2}"), done_text, total_text, NULL)
                      : g_steal_pointer(&done_text));
    } else if (has_total) {
        add(rows, _("Size"), g_steal_pointer(&total_text));
    }
}

static void add_time(GArray *rows, GVariant *attributes, const char *key, const char *name, GTimeZone *zone)
{
    gint64 microseconds;
    if (!g_variant_lookup(attributes, key, "x", &microseconds))
        return;
    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(microseconds / G_USEC_PER_SEC);
    g_autoptr(GDateTime) local = utc == NULL ? NULL : g_date_time_to_timezone(utc, zone);
    if (local != NULL)
        add(rows, name, g_date_time_format(local, "%x %X"));
}

static void add_tags(GArray *rows, GVariant *attributes)
{
    g_autofree const char **tags = NULL;
    if (g_variant_lookup(attributes, "tags", "^a&s", &tags) && tags[0] != NULL)
        add(rows, _("Tags"), g_strjoinv(_(", "), (char **)tags));
}

GArray *attribute_rows_read(GVariant *attributes, GTimeZone *zone)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(AttributeRow));
    g_array_set_clear_func(rows, row_clear);
    add_state(rows, attributes);
    add_text(rows, attributes, "message", _("Message"));
    add_progress(rows, attributes);
    add_bytes(rows, attributes);
    add_time(rows, attributes, "last-synced", _("Last synced"), zone);
    add_time(rows, attributes, "last-used", _("Last used"), zone);
    add_text(rows, attributes, "permissions", _("Permissions"));
    add_text(rows, attributes, "remote-uri", _("Remote address"));
    add_tags(rows, attributes);
    return rows;
}
