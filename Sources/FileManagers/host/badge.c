#include "badge.h"

gboolean badge_is_none(const Badge *badge)
{
    return badge->identifier == NULL && badge->flags == 0;
}

BadgeChange badge_set(Badge *badge, const char *identifier, guint32 flags, guint8 progress)
{
    GRefString *old = badge->identifier;
    /* Interned, so that ten thousand items with the same badge share one string and compare by address. */
    GRefString *new = *identifier == '\0' ? NULL : g_ref_string_new_intern(identifier);
    BadgeChange change = BADGE_SAME;
    if (old != new || badge->flags != flags)
        change = BADGE_CHANGED;
    else if (badge->progress != progress)
        change = BADGE_PROGRESSED;
    badge->identifier = new;
    badge->flags = flags;
    badge->progress = progress;
    g_clear_pointer(&old, g_ref_string_release);
    return change;
}

gboolean badge_clear(Badge *badge)
{
    return badge_set(badge, "", 0, PROGRESS_NONE) == BADGE_CHANGED;
}

gboolean badge_columns_init(BadgeColumns *columns, GVariant *names, GVariant *tuple, gsize first_value)
{
    *columns = (BadgeColumns){
        .names = g_variant_ref(names),
        .badges = g_variant_get_child_value(tuple, first_value),
        .flags = g_variant_get_child_value(tuple, first_value + 1),
        .progress = g_variant_get_child_value(tuple, first_value + 2),
    };
    columns->count = g_variant_n_children(columns->names);
    if (g_variant_n_children(columns->badges) == columns->count
        && g_variant_n_children(columns->flags) == columns->count
        && g_variant_n_children(columns->progress) == columns->count)
        return TRUE;
    badge_columns_clear(columns);
    return FALSE;
}

void badge_columns_clear(BadgeColumns *columns)
{
    g_clear_pointer(&columns->names, g_variant_unref);
    g_clear_pointer(&columns->badges, g_variant_unref);
    g_clear_pointer(&columns->flags, g_variant_unref);
    g_clear_pointer(&columns->progress, g_variant_unref);
    columns->count = 0;
}

void badge_columns_visit(const BadgeColumns *columns, gsize first, gsize end, BadgeColumnsVisitor visit, gpointer data)
{
    gsize count;
    const guint32 *flags = g_variant_get_fixed_array(columns->flags, &count, sizeof *flags);
    const guint8 *progress = g_variant_get_fixed_array(columns->progress, &count, sizeof *progress);
    for (gsize row = first; row < end; row++) {
        g_autoptr(GVariant) name = g_variant_get_child_value(columns->names, row);
        g_autoptr(GVariant) identifier = g_variant_get_child_value(columns->badges, row);
        visit(
            g_variant_get_string(name, NULL), g_variant_get_string(identifier, NULL), flags[row], progress[row], data);
    }
}
