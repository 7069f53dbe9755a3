#include "menu-item.h"

#include "words/words.h"

/* Deeper than any menu of the service, so that only invalid menus are truncated. */
#define DEPTH_LIMIT 8

#define CHECK_MARK "\xe2\x9c\x93 "

static GPtrArray *read_items(GVariant *rows, guint depth);

static void item_free(gpointer pointer)
{
    MenuItem *item = pointer;
    g_free(item->id);
    g_free(item->label);
    g_free(item->icon);
    g_ptr_array_unref(item->children);
    g_free(item);
}

static char *read_text(GVariant *row, const char *key)
{
    const char *text = "";
    g_variant_lookup(row, key, "&s", &text);
    return g_strdup(text);
}

static MenuCheck read_check(GVariant *row)
{
    gboolean checked;
    if (!g_variant_lookup(row, "checked", "b", &checked))
        return MENU_UNCHECKABLE;
    return checked ? MENU_CHECKED : MENU_UNCHECKED;
}

static GPtrArray *read_children(GVariant *row, guint depth)
{
    g_autoptr(GVariant) children = g_variant_lookup_value(row, "children", G_VARIANT_TYPE("aa{sv}"));
    if (children == NULL || depth == DEPTH_LIMIT)
        return g_ptr_array_new_with_free_func(item_free);
    return read_items(children, depth + 1);
}

static MenuItem *read_item(GVariant *row, guint depth)
{
    g_autofree char *type = read_text(row, "type");
    MenuItem *item = g_new(MenuItem, 1);
    *item = (MenuItem){
        .id = read_text(row, "id"),
        .label = read_text(row, "label"),
        .icon = read_text(row, "icon"),
        .enabled = TRUE,
        .check = read_check(row),
        .is_separator = g_str_equal(type, "separator"),
        .children = read_children(row, depth),
    };
    g_variant_lookup(row, "enabled", "b", &item->enabled);
    return item;
}

static gboolean ends_in_separator(const GPtrArray *items)
{
    return items->len == 0 || ((const MenuItem *)g_ptr_array_index(items, items->len - 1))->is_separator;
}

static GPtrArray *read_items(GVariant *rows, guint depth)
{
    GPtrArray *items = g_ptr_array_new_with_free_func(item_free);
    for (gsize i = 0; i < g_variant_n_children(rows); i++) {
        g_autoptr(GVariant) row = g_variant_get_child_value(rows, i);
        MenuItem *item = read_item(row, depth);
        if (item->is_separator && ends_in_separator(items))
            item_free(item);
        else
            g_ptr_array_add(items, item);
    }
    if (items->len > 0 && ends_in_separator(items))
        g_ptr_array_set_size(items, (gint)items->len - 1);
    return items;
}

GPtrArray *menu_items_read(GVariant *rows)
{
    return read_items(rows, 1);
}

/* The line for providers that have not answered yet; an item that cannot be chosen. */
static MenuItem *make_waiting_item(GVariant *names)
{
    g_autofree const char **parts = g_variant_get_strv(names, NULL);
    /* Translators: between two members of a list of names. */
    g_autofree char *list = g_strjoinv(_(", "), (char **)parts);
    MenuItem *item = g_new0(MenuItem, 1);
    item->id = g_strdup("");
    item->label = words_filled(_("Waiting for {1}…"), list, NULL);
    item->icon = g_strdup("");
    item->children = g_ptr_array_new();
    return item;
}

MenuAnswer menu_answer_read(GVariant *reply)
{
    MenuAnswer answer = { 0 };
    g_autoptr(GVariant) rows = g_variant_get_child_value(reply, 1);
    g_autoptr(GVariant) extra = g_variant_get_child_value(reply, 2);
    g_autoptr(GVariant) names = g_variant_lookup_value(extra, "incomplete", G_VARIANT_TYPE_STRING_ARRAY);
    g_variant_get_child(reply, 0, "t", &answer.menu_id);
    answer.items = menu_items_read(rows);
    answer.is_incomplete = names != NULL && g_variant_n_children(names) > 0;
    if (answer.is_incomplete)
        g_ptr_array_add(answer.items, make_waiting_item(names));
    return answer;
}

static gboolean items_equal(const MenuItem *some, const MenuItem *other)
{
    return g_str_equal(some->id, other->id) && g_str_equal(some->label, other->label)
           && g_str_equal(some->icon, other->icon) && some->enabled == other->enabled && some->check == other->check
           && some->is_separator == other->is_separator && menu_items_equal(some->children, other->children);
}

gboolean menu_items_equal(const GPtrArray *some, const GPtrArray *others)
{
    if (some->len != others->len)
        return FALSE;
    for (guint i = 0; i < some->len; i++) {
        if (!items_equal(g_ptr_array_index(some, i), g_ptr_array_index(others, i)))
            return FALSE;
    }
    return TRUE;
}

const MenuItem *menu_items_find_enabled(const GPtrArray *items, const char *id)
{
    for (guint i = 0; i < items->len; i++) {
        const MenuItem *item = g_ptr_array_index(items, i);
        if (!item->enabled || item->is_separator)
            continue;
        if (item->children->len == 0 && g_str_equal(item->id, id))
            return item;
        const MenuItem *within = menu_items_find_enabled(item->children, id);
        if (within != NULL)
            return within;
    }
    return NULL;
}

char *menu_item_mnemonic_label(const MenuItem *item)
{
    g_auto(GStrv) parts = g_strsplit(item->label, "_", -1);
    return g_strjoinv("__", parts);
}

char *menu_item_marked_label(const MenuItem *item)
{
    g_autofree char *label = menu_item_mnemonic_label(item);
    return g_strconcat(item->check == MENU_CHECKED ? CHECK_MARK : "", label, NULL);
}

char *menu_item_name(guint32 kind, const char *id)
{
    GString *name = g_string_new(NULL);
    g_string_printf(name, "Roundel-%u-", kind);
    for (const char *at = id; *at != '\0'; at++) {
        if (g_ascii_isalnum(*at) || *at == '-')
            g_string_append_c(name, *at);
        else
            g_string_append_printf(name, "_%02X", (guint)(guchar)*at);
    }
    return g_string_free(name, FALSE);
}
