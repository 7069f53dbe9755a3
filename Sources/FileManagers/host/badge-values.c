#include "badge-values.h"

#include <string.h>

struct BadgeValues {
    RefreshQueue *refresh;
    Habits habits;
    BadgeValuesEvents events;
    gpointer data;
};

BadgeValues *badge_values_new(
    RefreshQueue *refresh, const Habits *habits, const BadgeValuesEvents *events, gpointer data)
{
    BadgeValues *values = g_new(BadgeValues, 1);
    *values = (BadgeValues){ refresh, *habits, *events, data };
    return values;
}

void badge_values_free(BadgeValues *values)
{
    g_free(values);
}

void badge_value_refresh(DirectoryEntry *entry, gpointer data)
{
    const BadgeValues *values = data;
    for (GSList *link = entry->items; link != NULL; link = link->next)
        refresh_queue_add(values->refresh, link->data);
}

void badge_value_refresh_badged(DirectoryEntry *entry, gpointer values)
{
    if (!badge_is_none(&entry->badge))
        badge_value_refresh(entry, values);
}

static void report_completed(const BadgeValues *values, const Directory *directory)
{
    if (values->events.completed != NULL)
        values->events.completed(directory->uri, values->data);
}

static void report_change(const BadgeValues *values, const DirectoryEntry *entry, BadgeChange change)
{
    if (values->events.item_changed != NULL)
        values->events.item_changed(entry->directory->uri, entry->name, change, values->data);
}

/* Values that come */

void badge_value_expect(DirectoryEntry *entry, gpointer values)
{
    (void)values;
    entry->stale = TRUE;
}

/* An item that is made again under its name is asked about by a file manager that asks by name. */
static void keep_in_mind(const BadgeValues *values, DirectoryEntry *entry, BadgeChange change)
{
    if (!badge_is_none(&entry->badge))
        directory_entry_undrop(entry);
    else if (change != BADGE_SAME && !values->habits.asks_by_name)
        directory_entry_drop(entry);
    if (directory_entry_is_unused(entry))
        directory_remove(entry->directory, entry);
}

void badge_values_apply(
    Directory *directory, const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data)
{
    const BadgeValues *values = data;
    /* Such a name is no item of the directory, whatever a provider says. */
    if (*name == '\0' || strchr(name, '/') != NULL)
        return;
    DirectoryEntry *entry = directory_ensure(directory, name);
    entry->stale = FALSE;
    const BadgeChange change = badge_set(&entry->badge, identifier, flags, progress);
    if (change == BADGE_CHANGED || (change == BADGE_PROGRESSED && !values->habits.hides_progress))
        badge_value_refresh(entry, data);
    if (change != BADGE_SAME)
        report_change(values, entry, change);
    keep_in_mind(values, entry, change);
}

/* Values that go */

static void forget(DirectoryEntry *entry, gpointer values)
{
    entry->stale = FALSE;
    entry->asked = FALSE;
    directory_entry_undrop(entry);
    if (badge_clear(&entry->badge))
        badge_value_refresh(entry, values);
    if (entry->items == NULL)
        directory_remove(entry->directory, entry);
}

static void forget_stale(DirectoryEntry *entry, gpointer values)
{
    if (entry->stale)
        forget(entry, values);
}

void badge_values_complete(Directory *directory, gpointer data)
{
    directory_visit(directory, forget_stale, data);
    directory->listed = TRUE;
    report_completed(data, directory);
}

void badge_values_forget(Directory *directory, gpointer values)
{
    directory_visit(directory, forget, values);
    report_completed(values, directory);
}

void badge_value_forget_unbadged(DirectoryEntry *entry, gpointer values)
{
    if (!badge_is_none(&entry->badge))
        return;
    badge_value_refresh(entry, values);
    directory_remove(entry->directory, entry);
}
