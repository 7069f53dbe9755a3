#include "explorer.h"
#include "gio/session-bus.h"
#include "marker.h"

#include "words/words.h"

#include <glib-unix.h>
#include <locale.h>
#include <stdlib.h>

enum { EXIT_USAGE = 64 };

static void on_item(const char *item_uri, const char *folder_uri, const char *badge, gpointer marker)
{
    marker_want(marker, item_uri, folder_uri, badge);
}

static gboolean on_signal(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

/* Until a signal ends it. */
static void follow(Ledger *ledger)
{
    g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
    guint sources[] = {
        g_unix_signal_add(SIGTERM, on_signal, loop),
        g_unix_signal_add(SIGINT, on_signal, loop),
        g_unix_signal_add(SIGHUP, on_signal, loop),
    };
    HostLink *link = session_bus_link_new(NULL, NULL);
    Marker *marker = marker_new(ledger, host_link_images(link));
    Explorer *explorer = explorer_new(link, on_item, marker);
    marker_withdraw_all(marker);
    g_main_loop_run(loop);
    marker_withdraw_all(marker);
    host_link_free(link);
    explorer_free(explorer);
    marker_free(marker);
    for (gsize i = 0; i < G_N_ELEMENTS(sources); i++)
        g_source_remove(sources[i]);
}

static void print_counted(const char *text, guint count)
{
    g_autofree char *number = g_strdup_printf("%u", count);
    g_autofree char *filled = words_filled(text, number, NULL);
    g_print("%s\n", filled);
}

static void clean(Ledger *ledger)
{
    BadgeImages *images = badge_images_new();
    Marker *marker = marker_new(ledger, images);
    guint count = marker_withdraw_all(marker);
    print_counted(n_("{1} emblem was removed.", "{1} emblems were removed.", count), count);
    guint left = ledger_count(ledger);
    if (left > 0)
        print_counted(n_("{1} more belongs to an item that is missing now; run this again when it is back.",
                          "{1} more belong to items that are missing now; run this again when they are back.", left),
            left);
    marker_free(marker);
    badge_images_free(images);
}

/* Emblems are kept by GVFS. */
static gboolean has_metadata(void)
{
    g_autoptr(GFile) home = g_file_new_for_path(g_get_home_dir());
    GFileAttributeInfoList *namespaces = g_file_query_writable_namespaces(home, NULL, NULL);
    gboolean found = namespaces != NULL && g_file_attribute_info_list_lookup(namespaces, "metadata") != NULL;
    g_clear_pointer(&namespaces, g_file_attribute_info_list_unref);
    return found;
}

static Ledger *open_ledger(GError **error)
{
    if (!has_metadata()) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
            _("GVFS, which keeps the emblems of files, is missing; install the packages gvfs and gvfs-daemons"));
        return NULL;
    }
    g_autofree char *path = g_build_filename(g_get_user_state_dir(), "roundel", "metadata-emblems", NULL);
    return ledger_open(path, error);
}

typedef struct {
    gboolean clean;
    gboolean version;
} Options;

static gboolean parse(int argc, char **argv, Options *options, GError **error)
{
    const GOptionEntry entries[] = {
        { "clean", 0, 0, G_OPTION_ARG_NONE, &options->clean, _("Remove every emblem that was added, and exit"), NULL },
        { "version", 0, 0, G_OPTION_ARG_NONE, &options->version, _("Print the version, and exit"), NULL },
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_summary(
        context, _("Shows the badges of synced folders in Thunar, PCManFM-Qt and PCManFM, by writing\nemblems into the "
                   "metadata that these read. Exits on SIGTERM and removes them."));
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, error))
        return FALSE;
    if (argc > 1) {
        g_autofree char *text = words_filled(_("unexpected argument “{1}”; see --help"), argv[1], NULL);
        g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, text);
    }
    return argc <= 1;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    Options options = { FALSE, FALSE };
    g_autoptr(GError) error = NULL;
    if (!parse(argc, argv, &options, &error)) {
        g_printerr("roundel-metadata: %s\n", error->message);
        return EXIT_USAGE;
    }
    if (options.version) {
        g_print("roundel-metadata %s\n", ROUNDEL_VERSION);
        return EXIT_SUCCESS;
    }
    Ledger *ledger = open_ledger(&error);
    if (ledger == NULL) {
        g_printerr("roundel-metadata: %s\n", error->message);
        return EXIT_FAILURE;
    }
    if (options.clean)
        clean(ledger);
    else
        follow(ledger);
    ledger_close(ledger);
    return EXIT_SUCCESS;
}
