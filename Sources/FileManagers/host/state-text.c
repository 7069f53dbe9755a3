#include "state-text.h"

#include "words/words.h"

char *state_text(const Badge *badge, const BadgeImages *images)
{
    if (badge->identifier == NULL)
        return g_strdup("");
    const char *label = badge_images_label(images, badge->identifier);
    if (label == NULL || *label == '\0')
        label = badge->identifier;
    if (badge->progress > 100)
        return g_strdup(label);
    g_autofree char *percent = g_strdup_printf("%u", badge->progress);
    /* Translators: a state and its progress in percent; no line break before the sign. */
    return words_filled(_("{1} {2}\u00a0%"), label, percent, NULL);
}
