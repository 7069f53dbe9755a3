#include "badge-images.h"

/* Online-only is a badge of its own. Dolphin has room for four overlays; the others place emblems in the order of their
 * names. */
static const struct {
    guint32 flag;
    const char *icon;
} flag_icons[] = {
    { ITEM_LOCKED, "emblem-roundel-locked" },
    { ITEM_READ_ONLY, "emblem-roundel-read-only" },
    { ITEM_SHARED, "emblem-roundel-shared" },
    { ITEM_PINNED, "emblem-roundel-pinned" },
};

struct BadgeImages {
    GHashTable *icons;  /* identifier → icon name */
    GHashTable *labels; /* identifier → label */
};

BadgeImages *badge_images_new(void)
{
    BadgeImages *images = g_new(BadgeImages, 1);
    images->icons = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    images->labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return images;
}

void badge_images_free(BadgeImages *images)
{
    g_hash_table_unref(images->icons);
    g_hash_table_unref(images->labels);
    g_free(images);
}

void badge_images_set(BadgeImages *images, GVariant *value)
{
    badge_images_clear(images);
    GVariantIter rows;
    const char *identifier;
    const char *label;
    const char *icon;
    g_variant_iter_init(&rows, value);
    while (g_variant_iter_next(&rows, "{&s(&s&s)}", &identifier, &label, &icon)) {
        g_hash_table_insert(images->icons, g_strdup(identifier), g_strdup(icon));
        g_hash_table_insert(images->labels, g_strdup(identifier), g_strdup(label));
    }
}

void badge_images_clear(BadgeImages *images)
{
    g_hash_table_remove_all(images->icons);
    g_hash_table_remove_all(images->labels);
}

const char *badge_images_icon(const BadgeImages *images, const char *identifier)
{
    return g_hash_table_lookup(images->icons, identifier);
}

const char *badge_images_label(const BadgeImages *images, const char *identifier)
{
    return g_hash_table_lookup(images->labels, identifier);
}

gboolean badge_images_have_pictures(const BadgeImages *images)
{
    GHashTableIter icons;
    gpointer icon;
    g_hash_table_iter_init(&icons, images->icons);
    while (g_hash_table_iter_next(&icons, NULL, &icon)) {
        if (g_str_has_prefix(icon, "roundel-picture."))
            return TRUE;
    }
    return FALSE;
}

void badge_images_visit_icons(const BadgeImages *images, const Badge *badge, BadgeIconVisitor visit, gpointer data)
{
    const char *icon = badge->identifier == NULL ? NULL : badge_images_icon(images, badge->identifier);
    if (icon != NULL && *icon != '\0')
        visit(icon, data);
    for (gsize i = 0; i < G_N_ELEMENTS(flag_icons); i++) {
        if (badge->flags & flag_icons[i].flag)
            visit(flag_icons[i].icon, data);
    }
}
