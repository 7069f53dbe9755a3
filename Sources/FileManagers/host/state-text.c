#include "state-text.h"

#include "texts.h"

char *state_text(const Badge *badge, const BadgeImages *images)
{
    if (badge->identifier == NULL)
        return g_strdup("");
    const char *label = badge_images_label(images, badge->identifier);
    if (label == NULL || *label == '\0')
        label = badge->identifier;
    if (badge->progress > 100)
        return g_strdup(label);
    return g_strdup_printf(TEXT_STATE_FORMAT, label, badge->progress);
}
