/* The parts of the metadata helper: its record, lists of emblems, and finding items on the disk. */

#include "emblem-list.h"
#include "explored-directory.h"
#include "fake-service.h"
#include "item.h"
#include "ledger.h"
#include "metadata-explorer-tests.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* A directory of its own for each test. */
typedef struct {
    char *path;
    char *ledger;
} Place;

static void make_place(Place *place, gconstpointer data)
{
    (void)data;
    place->path = g_dir_make_tmp("roundel-metadata-XXXXXX", NULL);
    g_assert_nonnull(place->path);
    place->ledger = g_build_filename(place->path, "state", "roundel", "emblems", NULL);
}

static void remove_all(const char *path)
{
    GDir *directory = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
    const char *name;
    while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        remove_all(child);
    }
    g_clear_pointer(&directory, g_dir_close);
    g_assert_cmpint(g_remove(path), ==, 0);
}

static void remove_place(Place *place, gconstpointer data)
{
    (void)data;
    remove_all(place->path);
    g_free(place->ledger);
    g_free(place->path);
}

/* Lists of emblems */

static void assert_exchange(const char *list, const char *recorded, const char *emblem, const char *expected)
{
    g_auto(GStrv) before = g_strsplit(list, " ", -1);
    gboolean is_added;
    g_auto(GStrv) after = emblem_list_exchange(*list == '\0' ? NULL : before, recorded, emblem, &is_added);
    g_autofree char *joined = after == NULL ? g_strdup("") : g_strjoinv(" ", after);
    g_autofree char *result = g_strconcat(joined, is_added ? " +" : "", NULL);
    g_assert_cmpstr(result, ==, expected);
}

static void own_emblems_are_exchanged(void)
{
    assert_exchange("", NULL, NULL, "");
    assert_exchange("", NULL, "emblem-roundel-error", "emblem-roundel-error +");
    assert_exchange("emblem-roundel-error", "emblem-roundel-error", "emblem-roundel-paused", "emblem-roundel-paused +");
    assert_exchange("emblem-roundel-error", "emblem-roundel-error", NULL, "");
    /* One that came along with a moved item, of which nothing is recorded. */
    assert_exchange("emblem-roundel-error", NULL, NULL, "");
    /* A provider's emblem has any name. */
    assert_exchange("cloud-busy", "cloud-busy", NULL, "");
}

static void the_persons_emblems_stay(void)
{
    assert_exchange("heart star", NULL, NULL, "heart star");
    assert_exchange("heart star", NULL, "emblem-roundel-error", "heart star emblem-roundel-error +");
    assert_exchange("emblem-roundel-error heart", "emblem-roundel-error", NULL, "heart");
    /* The person gave it the same emblem as the provider: it is the person's. */
    assert_exchange("cloud-busy heart", NULL, "cloud-busy", "cloud-busy heart");
}

static void lists_are_compared(void)
{
    char *heart[] = { "heart", NULL };
    char *star[] = { "star", NULL };
    g_assert_true(emblem_list_equal(NULL, NULL));
    g_assert_true(emblem_list_equal(heart, heart));
    g_assert_false(emblem_list_equal(heart, star));
    g_assert_false(emblem_list_equal(heart, NULL));
}

/* The record */

static Ledger *open_ledger(const Place *place)
{
    g_autoptr(GError) error = NULL;
    Ledger *ledger = ledger_open(place->ledger, &error);
    g_assert_no_error(error);
    return ledger;
}

static void assert_recorded(const Ledger *ledger, const char *item, const char *emblem)
{
    const LedgerEntry *entry = ledger_find(ledger, item);
    g_assert_cmpstr(entry == NULL ? NULL : entry->emblem, ==, emblem);
}

static void the_record_survives(Place *place, gconstpointer data)
{
    (void)data;
    Ledger *ledger = open_ledger(place);
    ledger_set(ledger, "file:///f/a", "file:///f", "emblem-roundel-error");
    ledger_set(ledger, "file:///f/b", "file:///f", "emblem-roundel-error");
    ledger_set(ledger, "file:///f/b", "file:///f", "emblem-roundel-paused");
    ledger_set(ledger, "file:///f/c", "file:///f", "emblem-roundel-error");
    ledger_set(ledger, "file:///f/c", "file:///f", NULL);
    ledger_sync(ledger);
    ledger_close(ledger);
    ledger = open_ledger(place);
    g_assert_cmpuint(ledger_count(ledger), ==, 2);
    assert_recorded(ledger, "file:///f/a", "emblem-roundel-error");
    assert_recorded(ledger, "file:///f/b", "emblem-roundel-paused");
    assert_recorded(ledger, "file:///f/c", NULL);
    g_assert_cmpstr(ledger_find(ledger, "file:///f/a")->folder_uri, ==, "file:///f");
    ledger_close(ledger);
}

static void append_text(const Place *place, const char *text)
{
    int descriptor = open(place->ledger, O_WRONLY | O_APPEND);
    g_assert_cmpint((int)write(descriptor, text, strlen(text)), ==, (int)strlen(text));
    close(descriptor);
}

static void a_line_that_was_cut_off_does_not_count(Place *place, gconstpointer data)
{
    (void)data;
    Ledger *ledger = open_ledger(place);
    ledger_set(ledger, "file:///f/a", "file:///f", "emblem-roundel-error");
    ledger_close(ledger);
    append_text(place, "nonsense\nfile:///f/b\tfile:///f\temblem-roundel-");
    ledger = open_ledger(place);
    g_assert_cmpuint(ledger_count(ledger), ==, 1);
    assert_recorded(ledger, "file:///f/a", "emblem-roundel-error");
    ledger_set(ledger, "file:///f/c", "file:///f", "emblem-roundel-error");
    ledger_close(ledger);
    ledger = open_ledger(place);
    assert_recorded(ledger, "file:///f/c", "emblem-roundel-error");
    ledger_close(ledger);
}

static void the_record_does_not_grow_for_ever(Place *place, gconstpointer data)
{
    (void)data;
    Ledger *ledger = open_ledger(place);
    for (int i = 0; i < 20000; i++)
        ledger_set(ledger, "file:///f/a", "file:///f", i % 2 == 0 ? "emblem-roundel-error" : "emblem-roundel-paused");
    GStatBuf status;
    g_assert_cmpint(g_stat(place->ledger, &status), ==, 0);
    g_assert_cmpint((gint64)status.st_size, <, 5000 * 50);
    ledger_close(ledger);
    ledger = open_ledger(place);
    assert_recorded(ledger, "file:///f/a", "emblem-roundel-paused");
    ledger_close(ledger);
}

static void the_record_belongs_to_one_process(Place *place, gconstpointer data)
{
    (void)data;
    Ledger *ledger = open_ledger(place);
    g_autoptr(GError) error = NULL;
    g_assert_null(ledger_open(place->ledger, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_BUSY);
    ledger_close(ledger);
    ledger_close(open_ledger(place));
}

static void names_that_a_line_cannot_hold_are_refused(void)
{
    g_assert_true(ledger_can_record("emblem-roundel-error"));
    g_assert_false(ledger_can_record(""));
    g_assert_false(ledger_can_record("a\tb"));
    g_assert_false(ledger_can_record("a\nb"));
}

/* Items on the disk */

static char *uri_of(const Place *place, const char *name)
{
    g_autofree char *path = g_build_filename(place->path, name, NULL);
    g_autoptr(GFile) file = g_file_new_for_path(path);
    return g_file_get_uri(file);
}

static void assert_kind(const Place *place, const char *name, ItemKind expected)
{
    g_autofree char *folder = uri_of(place, "folder");
    g_autofree char *item = uri_of(place, name);
    g_assert_cmpint(item_kind(folder, item), ==, expected);
}

static void make_items(const Place *place)
{
    g_autofree char *folder = g_build_filename(place->path, "folder", NULL);
    g_autofree char *directory = g_build_filename(folder, "directory", NULL);
    g_autofree char *file = g_build_filename(directory, "file", NULL);
    g_autofree char *link = g_build_filename(folder, "link", NULL);
    g_autofree char *outside = g_build_filename(place->path, "outside", NULL);
    g_autofree char *away = g_build_filename(folder, "away", NULL);
    g_autofree char *pipe = g_build_filename(folder, "pipe", NULL);
    g_assert_cmpint(g_mkdir_with_parents(directory, 0755), ==, 0);
    g_assert_true(g_file_set_contents(file, "text", -1, NULL));
    g_assert_true(g_file_set_contents(outside, "text", -1, NULL));
    g_assert_cmpint(symlink("directory", link), ==, 0);
    g_assert_cmpint(symlink(place->path, away), ==, 0);
    g_assert_cmpint(mkfifo(pipe, 0644), ==, 0);
}

/* Neither a symlink nor a name leads out of the folder, or even to another place in it. */
static void nothing_is_followed(Place *place, gconstpointer data)
{
    (void)data;
    make_items(place);
    assert_kind(place, "folder", ITEM_DIRECTORY);
    assert_kind(place, "folder/directory", ITEM_DIRECTORY);
    assert_kind(place, "folder/directory/file", ITEM_FILE);
    assert_kind(place, "folder/nothing", ITEM_ABSENT);
    assert_kind(place, "folder/pipe", ITEM_OTHER);
    assert_kind(place, "folder/link", ITEM_OTHER);
    assert_kind(place, "folder/link/file", ITEM_ABSENT);
    assert_kind(place, "folder/away/outside", ITEM_ABSENT);
    assert_kind(place, "outside", ITEM_ABSENT);
    g_autofree char *linked_folder = uri_of(place, "folder/link");
    g_autofree char *item = uri_of(place, "folder/link/file");
    g_assert_cmpint(item_kind(linked_folder, item), ==, ITEM_ABSENT);
}

static struct stat status_of(const Place *place, const char *name)
{
    g_autofree char *path = g_build_filename(place->path, name, NULL);
    struct stat status;
    g_assert_cmpint(lstat(path, &status), ==, 0);
    return status;
}

static void touch(const Place *place, const char *name)
{
    g_autofree char *folder = uri_of(place, "folder");
    g_autofree char *uri = uri_of(place, name);
    Item item = item_open(folder, uri);
    item_touch(&item);
    item_close(&item);
}

static gboolean is_later(struct timespec one, struct timespec other)
{
    return one.tv_sec > other.tv_sec || (one.tv_sec == other.tv_sec && one.tv_nsec > other.tv_nsec);
}

/* Nothing changes but the time of the last change of attributes, which is what file managers wait for. */
static void touching_changes_nothing_else(Place *place, gconstpointer data)
{
    (void)data;
    make_items(place);
    const char *name = "folder/directory/file";
    g_autofree char *path = g_build_filename(place->path, name, NULL);
    g_assert_cmpint(g_chmod(path, 0640), ==, 0);
    struct stat before = status_of(place, name);
    struct stat after = before;
    while (!is_later(after.st_ctim, before.st_ctim)) {
        touch(place, name);
        after = status_of(place, name);
    }
    g_assert_cmpint(after.st_mode, ==, before.st_mode);
    g_assert_cmpint(after.st_mtim.tv_nsec, ==, before.st_mtim.tv_nsec);
    g_assert_cmpint(after.st_atim.tv_nsec, ==, before.st_atim.tv_nsec);
    /* These bits could be lost. */
    g_assert_cmpint(g_chmod(path, 02750), ==, 0);
    before = status_of(place, name);
    touch(place, name);
    after = status_of(place, name);
    g_assert_cmpint(after.st_ctim.tv_nsec, ==, before.st_ctim.tv_nsec);
    touch(place, "folder/link");
    touch(place, "folder/nothing");
}

/* What is known of a directory */

static void badges_grow_stale(void)
{
    ExploredDirectory *directory = explored_directory_new("file:///f");
    g_assert_true(explored_directory_put(directory, "a", "error"));
    g_assert_false(explored_directory_put(directory, "a", "error"));
    g_assert_true(explored_directory_put(directory, "a", "paused"));
    g_assert_true(explored_directory_put(directory, "b", "error"));
    explored_directory_mark_stale(directory);
    g_assert_false(explored_directory_put(directory, "b", "error"));
    g_autoptr(GPtrArray) stale = explored_directory_names(directory, TRUE);
    g_assert_cmpuint(stale->len, ==, 1);
    g_assert_cmpstr(g_ptr_array_index(stale, 0), ==, "a");
    explored_directory_drop(directory, "a");
    g_autoptr(GPtrArray) all = explored_directory_names(directory, FALSE);
    g_assert_cmpuint(all->len, ==, 1);
    explored_directory_free(directory);
}

static void add(const char *name, void (*test)(Place *, gconstpointer))
{
    g_test_add(name, Place, NULL, make_place, test, remove_place);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/emblems/exchanged", own_emblems_are_exchanged);
    g_test_add_func("/emblems/the-persons", the_persons_emblems_stay);
    g_test_add_func("/emblems/compared", lists_are_compared);
    add("/ledger/survives", the_record_survives);
    add("/ledger/cut-off", a_line_that_was_cut_off_does_not_count);
    add("/ledger/bounded", the_record_does_not_grow_for_ever);
    add("/ledger/one-process", the_record_belongs_to_one_process);
    g_test_add_func("/ledger/names", names_that_a_line_cannot_hold_are_refused);
    add("/item/nothing-followed", nothing_is_followed);
    add("/item/touched", touching_changes_nothing_else);
    g_test_add_func("/directory/stale", badges_grow_stale);
    add_explorer_tests();
    int status = g_test_run();
    fake_bus_end();
    return status;
}
