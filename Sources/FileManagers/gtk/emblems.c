#include "emblems.h"

/* The file managers place emblems in the order of their names. Online-only is a badge of its own. */
static const struct {
    guint32 flag;
    const char *icon;
} flag_emblems[] = {
    { ITEM_LOCKED, "emblem-roundel-locked" },
    { ITEM_READ_ONLY, "emblem-roundel-read-only" },
    { ITEM_SHARED, "emblem-roundel-shared" },
    { ITEM_PINNED, "emblem-roundel-pinned" },
};

void emblems_add(FmFileInfo *item, const Badge *badge, const BadgeImages *images)
{
    const char *icon = badge->identifier == NULL ? NULL : badge_images_icon(images, badge->identifier);
    if (icon != NULL && *icon != '\0')
        fm_file_info_add_emblem(item, icon);
    for (gsize i = 0; i < G_N_ELEMENTS(flag_emblems); i++) {
        if (badge->flags & flag_emblems[i].flag)
            fm_file_info_add_emblem(item, flag_emblems[i].icon);
    }
}
