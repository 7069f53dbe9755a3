/* The parts of the plugin for Nautilus, Nemo and Caja that know no file manager. */

#include "fake-service.h"
#include "gtk-plugin-choice-tests.h"
#include "gtk-plugin-menu-tests.h"
#include "host/attribute-rows.h"
#include "host/badge-images.h"
#include "host/badge.h"
#include "host/folder-states.h"
#include "host/folders.h"
#include "host/item-uri.h"
#include "host/state-text.h"
#ifdef FM_NAUTILUS
#include "gtk-plugin-observer-tests.h"
#include "gtk-plugin-waiting-tests.h"
#endif

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

static void names_are_ordered_by_their_bytes(void)
{
    g_assert_true(item_name_is_after("a", ""));
    g_assert_true(item_name_is_after("b", "a"));
    g_assert_true(item_name_is_after("ab", "a"));
    g_assert_false(item_name_is_after("a", "ab"));
    g_assert_false(item_name_is_after("a", "a"));
    g_assert_false(item_name_is_after("", ""));
    g_assert_false(item_name_is_after("", "a"));
    g_assert_true(item_name_is_after("a", "%2D"));
    g_assert_true(item_name_is_after("%C3", "a"));
    g_assert_false(item_name_is_after("%2D", "a"));
    g_assert_false(item_name_is_after("%zz", "a"));
    g_assert_false(item_name_is_after("%", ""));
    g_assert_false(item_name_is_after("b", "%4"));
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

static void a_folder_is_known_in_both_spellings_of_the_home_directory(void)
{
    Folders *folders = folders_new();
    folders_add_spelling(folders, "file:///home/u", "file:///var/home/u");
    g_autoptr(GVariant) resolved = g_variant_ref_sink(g_variant_new_parsed("['file:///var/home/u/Sync']"));
    folders_set(folders, resolved);
    g_assert_true(folders_hold(folders, "file:///home/u/Sync/a"));
    g_assert_true(folders_hold(folders, "file:///var/home/u/Sync/a"));
    g_assert_true(folders_may_monitor(folders, "file:///home/u"));
    g_assert_false(folders_hold(folders, "file:///home/u"));
    g_autoptr(GVariant) given = g_variant_ref_sink(g_variant_new_parsed("['file:///home/u/Sync']"));
    folders_set(folders, given);
    g_assert_true(folders_hold(folders, "file:///var/home/u/Sync/a"));
    g_autoptr(GVariant) above = g_variant_ref_sink(g_variant_new_parsed("['file:///var']"));
    folders_set(folders, above);
    g_assert_true(folders_hold(folders, "file:///home/u/a"));
    g_assert_false(folders_hold(folders, "file:///home/v"));
    folders_free(folders);
}

static void only_a_state_counts_as_a_change_of_the_folders(void)
{
    FolderStates *states = folder_states_new();
    g_autoptr(GVariant)
        idle = g_variant_ref_sink(g_variant_new_parsed("@a{s(usy)} {'file:///s': (1, 'Up to date', 255)}"));
    g_autoptr(GVariant)
        syncing = g_variant_ref_sink(g_variant_new_parsed("@a{s(usy)} {'file:///s': (2, 'Syncing', 10)}"));
    g_autoptr(GVariant)
        further = g_variant_ref_sink(g_variant_new_parsed("@a{s(usy)} {'file:///s': (2, 'Still syncing', 20)}"));
    g_autoptr(GVariant) none = g_variant_ref_sink(g_variant_new_parsed("@a{s(usy)} {}"));
    g_assert_true(folder_states_set(states, idle));
    g_assert_true(folder_states_set(states, syncing));
    g_assert_false(folder_states_set(states, further));
    g_assert_true(folder_states_set(states, none));
    g_assert_false(folder_states_set(states, none));
    folder_states_free(states);
}

static void a_badge_knows_how_it_changed(void)
{
    Badge badge = BADGE_NONE;
    g_assert_true(badge_is_none(&badge));
    g_assert_cmpint(badge_set(&badge, "", 0, PROGRESS_NONE), ==, BADGE_SAME);
    g_assert_cmpint(badge_set(&badge, "syncing", 0, 10), ==, BADGE_CHANGED);
    g_assert_cmpint(badge_set(&badge, "syncing", 0, 20), ==, BADGE_PROGRESSED);
    g_assert_cmpint(badge_set(&badge, "syncing", 0, 20), ==, BADGE_SAME);
    g_assert_cmpint(badge_set(&badge, "syncing", ITEM_PINNED, 20), ==, BADGE_CHANGED);
    g_assert_cmpint(badge_set(&badge, "synced", ITEM_PINNED, PROGRESS_NONE), ==, BADGE_CHANGED);
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
    badge_columns_visit(&columns, 0, columns.count, count_row, rows);
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

static void assert_state_text(const BadgeImages *images, const char *identifier, guint8 progress, const char *expected)
{
    Badge badge = BADGE_NONE;
    badge_set(&badge, identifier, 0, progress);
    g_autofree char *text = state_text(&badge, images);
    g_assert_cmpstr(text, ==, expected);
    badge_clear(&badge);
}

static void a_state_is_told_in_words(void)
{
    BadgeImages *images = badge_images_new();
    g_autoptr(GVariant)
        value = g_variant_ref_sink(g_variant_new_parsed("{'syncing': ('Syncing', 'i'), 'x.y': ('', 'i')}"));
    badge_images_set(images, value);
    assert_state_text(images, "syncing", PROGRESS_NONE, "Syncing");
    assert_state_text(images, "syncing", 0, "Syncing 0\xc2\xa0%");
    assert_state_text(images, "syncing", 40, "Syncing 40\xc2\xa0%");
    assert_state_text(images, "syncing", 101, "Syncing");
    assert_state_text(images, "x.y", PROGRESS_NONE, "x.y");
    assert_state_text(images, "unknown", PROGRESS_NONE, "unknown");
    assert_state_text(images, "", 40, "");
    badge_images_free(images);
}

/* Attributes */

static void assert_rows(const char *attributes, const char *expected)
{
    g_autoptr(GVariant) values = g_variant_ref_sink(g_variant_new_parsed(attributes));
    g_autoptr(GTimeZone) zone = g_time_zone_new_utc();
    g_autoptr(GArray) rows = attribute_rows_read(values, zone);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < rows->len; i++) {
        const AttributeRow *row = &g_array_index(rows, AttributeRow, i);
        g_string_append_printf(text, "%s=%s;", row->name, row->value);
    }
    g_assert_cmpstr(text->str, ==, expected);
    g_string_free(text, TRUE);
}

static void attributes_are_told_in_words(void)
{
    assert_rows("@a{sv} {}", "");
    assert_rows("{'state': <'syncing'>, 'label': <'Syncing'>, 'message': <'Half done'>, 'progress': <@y 40>,"
                " 'bytes-done': <@t 1000>, 'bytes-total': <@t 2000>, 'remote-uri': <'https://h/a'>,"
                " 'tags': <['red', 'work']>}",
        "State=Syncing;Message=Half done;Progress=40\xc2\xa0%;Transferred=1.0\xc2\xa0kB of 2.0\xc2\xa0kB;"
        "Remote address=https://h/a;Tags=red, work;");
    assert_rows("{'last-synced': <@x 86400000000>, 'last-used': <@x -1000000>}",
        "Last synced=01/02/70 00:00:00;Last used=12/31/69 23:59:59;");
    assert_rows("{'state': <'synced'>, 'bytes-total': <@t 2000>}", "State=synced;Size=2.0\xc2\xa0kB;");
}

static void attributes_without_sense_are_left_out(void)
{
    assert_rows("{'state': <7>, 'label': <''>, 'message': <''>, 'progress': <@y 255>, 'tags': <@as []>,"
                " 'last-synced': <@x 9223372036854775807>, 'last-used': <'now'>, 'bytes-done': <1>, 'other': <'x'>}",
        "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/uri/one-encoding", uris_have_one_encoding);
    g_test_add_func("/uri/refused", other_uris_are_refused);
    g_test_add_func("/uri/too-long", paths_of_4096_bytes_are_refused);
    g_test_add_func("/uri/every-name", every_name_survives_gfile);
    g_test_add_func("/uri/parts", uris_are_taken_apart);
    g_test_add_func("/uri/order", names_are_ordered_by_their_bytes);
    g_test_add_func("/folders/monitored", only_folders_below_them_and_parents_are_monitored);
    g_test_add_func("/folders/spellings", a_folder_is_known_in_both_spellings_of_the_home_directory);
    g_test_add_func("/folders/states", only_a_state_counts_as_a_change_of_the_folders);
    g_test_add_func("/badge/changes", a_badge_knows_how_it_changed);
    g_test_add_func("/badge/columns", columns_are_read_by_row);
    g_test_add_func("/badge/unequal-columns", unequal_columns_are_refused);
    g_test_add_func("/badge/icons", icons_are_found_by_identifier);
    g_test_add_func("/badge/words", a_state_is_told_in_words);
    add_menu_tests();
    g_test_add_func("/attributes/words", attributes_are_told_in_words);
    g_test_add_func("/attributes/nonsense", attributes_without_sense_are_left_out);
    add_choice_tests();
#ifdef FM_NAUTILUS
    add_observer_tests();
    add_waiting_tests();
#endif
    int status = g_test_run();
    fake_bus_end();
    return status;
}
