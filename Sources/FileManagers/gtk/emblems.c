#include "emblems.h"

/* What forbids something stands before what merely informs. Online-only is a badge of its own. */
static const struct {
    guint32 flag;
    const char *icon;
} flag_emblems[] = {
    { ITEM_LOCKED, "emblem-roundel-locked" },
    { ITEM_READ_ONLY, "emblem-roundel-read-only" },
    { ITEM_SHARED, "emblem-roundel-shared" },
    { ITEM_PINNED, "emblem-roundel-pinned" },
};

enum { MAXIMUM = 1 + G_N_ELEMENTS(flag_emblems) };

void emblems_add(FmFileInfo *item, const Badge *badge, const BadgeImages *images)
{
    const char *icons[MAXIMUM];
    guint count = 0;
    const char *icon = badge->identifier == NULL ? NULL : badge_images_icon(images, badge->identifier);
    if (icon != NULL && *icon != '\0')
        icons[count++] = icon;
    for (gsize i = 0; i < G_N_ELEMENTS(flag_emblems); i++) {
        if (badge->flags & flag_emblems[i].flag)
            icons[count++] = flag_emblems[i].icon;
    }
    for (guint i = 0; i < count; i++)
        fm_file_info_add_emblem(item, icons[FM_FIRST_EMBLEM_LEADS ? i : count - 1 - i]);
}
