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

GVariant *activation_options_new_for_wayland(GAppLaunchContext *context)
{
    /* Which program will be started is not known, and GLib before 2.82 insists on one. */
    g_autoptr(GAppInfo) program = g_app_info_create_from_commandline("true", NULL, G_APP_INFO_CREATE_NONE, NULL);
    g_autofree char *token = g_app_launch_context_get_startup_notify_id(context, program, NULL);
    GVariantDict options;
    g_variant_dict_init(&options, NULL);
    if (token != NULL && *token != '\0')
        g_variant_dict_insert(&options, "activation-token", "s", token);
    return g_variant_dict_end(&options);
}
