#include "menu-question.h"

GVariant *menu_question_new(guint32 kind, const char *target, const GPtrArray *selection)
{
    GVariantBuilder uris;
    g_variant_builder_init(&uris, G_VARIANT_TYPE_STRING_ARRAY);
    for (guint i = 0; selection != NULL && i < selection->len; i++)
        g_variant_builder_add(&uris, "s", g_ptr_array_index(selection, i));
    return g_variant_ref_sink(g_variant_new("(usas)", kind, target, &uris));
}

GVariant *menu_question_with(GVariant *selection, guint32 kind, const char *target)
{
    if (selection == NULL)
        return menu_question_new(kind, target, NULL);
    g_autoptr(GVariant) uris = g_variant_get_child_value(selection, 2);
    return g_variant_ref_sink(g_variant_new("(us@as)", kind, target, uris));
}

guint32 menu_question_kind(GVariant *question)
{
    guint32 kind;
    g_variant_get_child(question, 0, "u", &kind);
    return kind;
}

GVariant *menu_question_arguments(GVariant *question)
{
    g_autoptr(GVariant) target = g_variant_get_child_value(question, 1);
    g_autoptr(GVariant) selection = g_variant_get_child_value(question, 2);
    return g_variant_new("(u@s@asa{sv})", menu_question_kind(question), target, selection, NULL);
}

guint menu_question_hash(gconstpointer question)
{
    g_autoptr(GBytes) bytes = g_variant_get_data_as_bytes((GVariant *)question);
    return g_bytes_hash(bytes);
}

gboolean menu_question_equal(gconstpointer some, gconstpointer other)
{
    return g_variant_equal(some, other);
}
