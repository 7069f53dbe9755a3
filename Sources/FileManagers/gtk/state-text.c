#include "state-text.h"

char *state_text(const Badge *badge, const BadgeImages *images)
{
    if (badge->identifier == NULL)
        return g_strdup("");
    const char *label = badge_images_label(images, badge->identifier);
    if (label == NULL || *label == '\0')
        label = badge->identifier;
    if (badge->progress > 100)
        return g_strdup(label);
    /* Without a break between the number and its sign. */
    return g_strdup_printf("%s %u\xc2\xa0%%", label, badge->progress);
}
