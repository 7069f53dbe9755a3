/* The parts of the plugin for Nautilus, Nemo and Caja that know no file manager. */

#include "badge-images.h"
#include "badge.h"
#include "folders.h"
#include "item-uri.h"

#include <gio/gio.h>
#include <string.h>

static void assert_canonical(const char *uri, const char *expected)
{
    g_autofree char *canonical = item_uri_canonical(uri);
    g_assert_cmpstr(canonical, ==, expected);
}

static void uris_have_one_encoding(void)
{
    assert_canonical("file:///home/u/a.txt", "file:///home/u/a.txt");
    assert_canonical("file://localhost/home", "file:///home");
    assert_canonical("FILE:///home//u/", "file:///home/u");
    assert_canonical("file:///", "file:///");
    assert_canonical("file:////", "file:///");
    assert_canonical("file:///a%2db", "file:///a-b");
    assert_canonical("file:///a!$&'()*+,;=:@b", "file:///a%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40b");
    assert_canonical("file:///%ff%0a%c3%a4", "file:///%FF%0A%C3%A4");
    assert_canonical("file:///\xc3\xa4", "file:///%C3%A4");
    assert_canonical("file:///...", "file:///...");
    assert_canonical("file:///.a", "file:///.a");
}

static void other_uris_are_refused(void)
{
    static const char *const refused[] = {
        "",
        "/home",
        "home",
        "file:home",
        "file://",
        "file://elsewhere/home",
        "file://localhost",
        "http:///home",
        "trash:///",
        "file:///a/../b",
        "file:///.",
        "file:///%2e%2E",
        "file:///a%2Fb",
        "file:///a%00b",
        "file:///a%",
        "file:///a%4",
        "file:///a%zz",
        "file:///a?b",
        "file:///a#b",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++)
        assert_canonical(refused[i], NULL);
    assert_canonical(NULL, NULL);
}

static void paths_of_4096_bytes_are_refused(void)
{
    GString *uri = g_string_new("file://");
    for (int i = 0; i < 4095; i++)
        g_string_append(uri, i % 5 == 0 ? "/" : "%41");
    g_autofree char *longest = item_uri_canonical(uri->str);
    g_assert_nonnull(longest);
    g_string_append_c(uri, 'x');
    assert_canonical(uri->str, NULL);
    g_string_free(uri, TRUE);
}

/* Whatever a file may be called, GFile's URI of it and the service's become the same. */
static void every_name_survives_gfile(void)
{
    guint32 seed = g_getenv("ROUNDEL_SEED") == NULL ? g_random_int()
                                                    : (guint32)g_ascii_strtoull(g_getenv("ROUNDEL_SEED"), NULL, 10);
    g_test_message("ROUNDEL_SEED=%u", seed);
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    for (int round = 0; round < 20000; round++) {
        GString *path = g_string_new("/");
        GString *expected = g_string_new("file:///");
        gint length = g_rand_int_range(random, 1, 40);
        g_string_append_c(path, 'n');
        g_string_append_c(expected, 'n');
        for (gint i = 0; i < length; i++) {
            guchar byte = (guchar)g_rand_int_range(random, 1, 256);
            if (byte == '/')
                continue;
            g_string_append_c(path, (char)byte);
            if (byte < 128 && (g_ascii_isalnum(byte) || strchr("-._~", byte) != NULL))
                g_string_append_c(expected, (char)byte);
            else
                g_string_append_printf(expected, "%%%02X", byte);
        }
        g_autoptr(GFile) file = g_file_new_for_path(path->str);
        g_autofree char *uri = g_file_get_uri(file);
        assert_canonical(uri, expected->str);
        g_string_free(path, TRUE);
        g_string_free(expected, TRUE);
    }
}

static void assert_parent(const char *uri, const char *expected)
{
    g_autofree char *parent = item_uri_parent(uri);
    g_assert_cmpstr(parent, ==, expected);
}

static void uris_are_taken_apart(void)
{
    assert_parent("file:///a/b", "file:///a");
    assert_parent("file:///a", "file:///");
    assert_parent("file:///", NULL);
    g_assert_cmpstr(item_uri_name("file:///a/b%20c"), ==, "b%20c");
    g_assert_null(item_uri_name("file:///"));
    g_assert_true(item_uri_is_within("file:///a/b", "file:///a"));
    g_assert_true(item_uri_is_within("file:///a", "file:///a"));
    g_assert_true(item_uri_is_within("file:///a", "file:///"));
    g_assert_false(item_uri_is_within("file:///ab", "file:///a"));
    g_assert_false(item_uri_is_within("file:///", "file:///a"));
}

static void only_folders_below_them_and_parents_are_monitored(void)
{
    Folders *folders = folders_new();
    g_assert_false(folders_may_monitor(folders, "file:///home"));
    g_autoptr(GVariant) value = g_variant_ref_sink(g_variant_new_parsed("['file:///home/u/Sync', 'nonsense']"));
    folders_set(folders, value);
    g_assert_true(folders_may_monitor(folders, "file:///home/u"));
    g_assert_true(folders_may_monitor(folders, "file:///home/u/Sync"));
    g_assert_true(folders_may_monitor(folders, "file:///home/u/Sync/a/b"));
    g_assert_false(folders_may_monitor(folders, "file:///home"));
    g_assert_false(folders_may_monitor(folders, "file:///home/u/Sync2"));
    g_assert_false(folders_may_monitor(folders, "file:///home/u/Other"));
    folders_clear(folders);
    g_assert_false(folders_may_monitor(folders, "file:///home/u/Sync"));
    folders_free(folders);
}

static void a_badge_knows_when_it_looks_different(void)
{
    Badge badge = BADGE_NONE;
    g_assert_true(badge_is_none(&badge));
    g_assert_false(badge_set(&badge, "", 0, PROGRESS_NONE));
    g_assert_true(badge_set(&badge, "syncing", 0, 10));
    g_assert_false(badge_set(&badge, "syncing", 0, 20));
    g_assert_cmpuint(badge.progress, ==, 20);
    g_assert_true(badge_set(&badge, "syncing", ITEM_PINNED, 20));
    g_assert_true(badge_set(&badge, "synced", ITEM_PINNED, PROGRESS_NONE));
    g_assert_true(badge_clear(&badge));
    g_assert_false(badge_clear(&badge));
}

static void count_row(const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    GString *rows = data;
    g_string_append_printf(rows, "%s=%s,%u,%u;", name, identifier, flags, progress);
}

static void columns_are_read_by_row(void)
{
    g_autoptr(GVariant)
        tuple = g_variant_ref_sink(g_variant_new_parsed("(['a', 'b'], ['synced', ''], [@u 1, 0], [@y 255, 7])"));
    g_autoptr(GVariant) names = g_variant_get_child_value(tuple, 0);
    BadgeColumns columns;
    g_assert_true(badge_columns_init(&columns, names, tuple, 1));
    GString *rows = g_string_new(NULL);
    badge_columns_visit(&columns, count_row, rows);
    g_assert_cmpstr(rows->str, ==, "a=synced,1,255;b=,0,7;");
    g_string_free(rows, TRUE);
    badge_columns_clear(&columns);
}

static void unequal_columns_are_refused(void)
{
    g_autoptr(GVariant)
        tuple = g_variant_ref_sink(g_variant_new_parsed("(['a', 'b'], ['synced'], [@u 1, 0], [@y 255, 7])"));
    g_autoptr(GVariant) names = g_variant_get_child_value(tuple, 0);
    BadgeColumns columns;
    g_assert_false(badge_columns_init(&columns, names, tuple, 1));
}

static void icons_are_found_by_identifier(void)
{
    BadgeImages *images = badge_images_new();
    g_autoptr(GVariant)
        value = g_variant_ref_sink(g_variant_new_parsed("{'synced': ('Up to date', 'emblem-roundel-synced')}"));
    badge_images_set(images, value);
    g_assert_cmpstr(badge_images_icon(images, "synced"), ==, "emblem-roundel-synced");
    g_assert_null(badge_images_icon(images, "else.where"));
    badge_images_clear(images);
    g_assert_null(badge_images_icon(images, "synced"));
    badge_images_free(images);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/uri/one-encoding", uris_have_one_encoding);
    g_test_add_func("/uri/refused", other_uris_are_refused);
    g_test_add_func("/uri/too-long", paths_of_4096_bytes_are_refused);
    g_test_add_func("/uri/every-name", every_name_survives_gfile);
    g_test_add_func("/uri/parts", uris_are_taken_apart);
    g_test_add_func("/folders/monitored", only_folders_below_them_and_parents_are_monitored);
    g_test_add_func("/badge/changes", a_badge_knows_when_it_looks_different);
    g_test_add_func("/badge/columns", columns_are_read_by_row);
    g_test_add_func("/badge/unequal-columns", unequal_columns_are_refused);
    g_test_add_func("/badge/icons", icons_are_found_by_identifier);
    return g_test_run();
}
