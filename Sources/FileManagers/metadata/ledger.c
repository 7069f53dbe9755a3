#include "ledger.h"

#include "words/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* URIs and names of emblems hold neither tabs nor line ends. */
#define LINE_FORMAT "%s\t%s\t%s\n"
#define FIELDS 3

/* The file is rewritten when it has this many outdated lines. */
#define SUPERFLUOUS_LINES 4096

struct Ledger {
    char *path;
    int lock;
    int descriptor;
    guint lines;
    gboolean complained;
    GHashTable *entries; /* item URI → LedgerEntry */
};

static void entry_free(gpointer pointer)
{
    LedgerEntry *entry = pointer;
    g_free(entry->folder_uri);
    g_free(entry->emblem);
    g_free(entry);
}

static void apply(Ledger *ledger, const char *item_uri, const char *folder_uri, const char *emblem)
{
    if (*emblem == '\0') {
        g_hash_table_remove(ledger->entries, item_uri);
        return;
    }
    LedgerEntry *entry = g_new(LedgerEntry, 1);
    *entry = (LedgerEntry){ g_strdup(folder_uri), g_strdup(emblem) };
    g_hash_table_insert(ledger->entries, g_strdup(item_uri), entry);
}

/* Reading and writing */

static void read_line(Ledger *ledger, const char *line)
{
    g_auto(GStrv) fields = g_strsplit(line, "\t", FIELDS);
    if (g_strv_length(fields) == FIELDS)
        apply(ledger, fields[0], fields[1], fields[2]);
}

/* Text after the last line end was cut off by a crash, before its change was made. */
static void read_all(Ledger *ledger)
{
    g_autofree char *text = NULL;
    gsize length;
    if (!g_file_get_contents(ledger->path, &text, &length, NULL))
        return;
    char *line = text;
    for (char *end = strchr(line, '\n'); end != NULL; end = strchr(line, '\n')) {
        *end = '\0';
        read_line(ledger, line);
        line = end + 1;
    }
}

static gboolean write_all(int descriptor, const char *text, gsize length)
{
    while (length > 0) {
        gssize written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR)
            return FALSE;
        if (written > 0) {
            text += written;
            length -= (gsize)written;
        }
    }
    return TRUE;
}

/* Writes all entries to a new file, which replaces the old one when it is complete. */
static gboolean rewrite(Ledger *ledger)
{
    g_autofree char *temporary = g_strconcat(ledger->path, ".new", NULL);
    GString *text = g_string_new(NULL);
    GHashTableIter entries;
    gpointer uri;
    gpointer value;
    g_hash_table_iter_init(&entries, ledger->entries);
    while (g_hash_table_iter_next(&entries, &uri, &value)) {
        const LedgerEntry *entry = value;
        g_string_append_printf(text, LINE_FORMAT, (char *)uri, entry->folder_uri, entry->emblem);
    }
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    gboolean is_done = descriptor >= 0 && write_all(descriptor, text->str, text->len) && fdatasync(descriptor) == 0
                       && rename(temporary, ledger->path) == 0;
    g_string_free(text, TRUE);
    if (!is_done) {
        if (descriptor >= 0)
            close(descriptor);
        return FALSE;
    }
    if (ledger->descriptor >= 0)
        close(ledger->descriptor);
    ledger->descriptor = descriptor;
    ledger->lines = g_hash_table_size(ledger->entries);
    return TRUE;
}

static void complain(Ledger *ledger)
{
    if (ledger->complained)
        return;
    ledger->complained = TRUE;
    g_warning("Cannot write %s (%s): emblems could be left behind after a crash", ledger->path, g_strerror(errno));
}

/* Opening */

static void set_error(GError **error, const char *path)
{
    int number = errno;
    if (number == EWOULDBLOCK)
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_BUSY,
            _("roundel-metadata is running already; stop it first, for example with: systemctl --user stop "
              "roundel-metadata"));
    else
        g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(number), "%s: %s", path, g_strerror(number));
}

static gboolean lock(Ledger *ledger)
{
    g_autofree char *directory = g_path_get_dirname(ledger->path);
    g_autofree char *name = g_strconcat(ledger->path, ".lock", NULL);
    if (g_mkdir_with_parents(directory, 0700) != 0)
        return FALSE;
    ledger->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return ledger->lock >= 0 && flock(ledger->lock, LOCK_EX | LOCK_NB) == 0;
}

Ledger *ledger_open(const char *path, GError **error)
{
    Ledger *ledger = g_new0(Ledger, 1);
    ledger->path = g_strdup(path);
    ledger->lock = -1;
    ledger->descriptor = -1;
    ledger->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    if (!lock(ledger)) {
        set_error(error, path);
        ledger_close(ledger);
        return NULL;
    }
    read_all(ledger);
    if (!rewrite(ledger)) {
        set_error(error, path);
        ledger_close(ledger);
        return NULL;
    }
    return ledger;
}

void ledger_close(Ledger *ledger)
{
    if (ledger->descriptor >= 0)
        close(ledger->descriptor);
    if (ledger->lock >= 0)
        close(ledger->lock);
    g_hash_table_unref(ledger->entries);
    g_free(ledger->path);
    g_free(ledger);
}

/* Entries */

guint ledger_count(const Ledger *ledger)
{
    return g_hash_table_size(ledger->entries);
}

const LedgerEntry *ledger_find(const Ledger *ledger, const char *item_uri)
{
    return g_hash_table_lookup(ledger->entries, item_uri);
}

GPtrArray *ledger_items(const Ledger *ledger)
{
    GPtrArray *items = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter entries;
    gpointer uri;
    g_hash_table_iter_init(&entries, ledger->entries);
    while (g_hash_table_iter_next(&entries, &uri, NULL))
        g_ptr_array_add(items, g_strdup(uri));
    return items;
}

void ledger_set(Ledger *ledger, const char *item_uri, const char *folder_uri, const char *emblem)
{
    g_autofree char *line = g_strdup_printf(LINE_FORMAT, item_uri, folder_uri, emblem == NULL ? "" : emblem);
    apply(ledger, item_uri, folder_uri, emblem == NULL ? "" : emblem);
    ledger->lines++;
    gboolean is_long = ledger->lines > g_hash_table_size(ledger->entries) + SUPERFLUOUS_LINES;
    if (is_long && rewrite(ledger))
        return;
    if (!write_all(ledger->descriptor, line, strlen(line)))
        complain(ledger);
}

void ledger_sync(Ledger *ledger)
{
    if (fdatasync(ledger->descriptor) != 0)
        complain(ledger);
}

gboolean ledger_can_record(const char *emblem)
{
    for (const char *at = emblem; *at != '\0'; at++) {
        if (!g_ascii_isgraph(*at))
            return FALSE;
    }
    return *emblem != '\0';
}
