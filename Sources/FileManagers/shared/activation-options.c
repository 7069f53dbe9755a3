#include "activation-options.h"

GVariant *activation_options_new(guint32 time, gulong window)
{
    GVariantDict options;
    g_variant_dict_init(&options, NULL);
    if (time != 0)
        g_variant_dict_insert(&options, "timestamp", "u", time);
    if (window != 0) {
        g_autofree char *parent = g_strdup_printf("x11:%lx", window);
        g_variant_dict_insert(&options, "parent-window", "s", parent);
    }
    return g_variant_dict_end(&options);
}
