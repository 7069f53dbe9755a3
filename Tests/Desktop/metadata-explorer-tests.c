/* What the metadata helper finds in the directories that it observes, with a service that the tests play. */

#include "metadata-explorer-tests.h"

#include "explorer.h"
#include "fake-service.h"
#include "gio/session-bus.h"

#include <string.h>

/* There is nothing on the disk at this place, so that no item is entered. */
#define FOLDER "file:///nowhere/sync"
#define PARENT "file:///nowhere"

typedef struct {
    const char *const *replies; /* to RequestDirectory, the last one for all that follow; "" for an error */
    GString *requested;         /* what each request began after */
    FakeService *service;
    HostLink *link;
    Explorer *explorer;
    GString *reports;
} World;

static gboolean on_call(const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data)
{
    World *world = data;
    if (!g_str_equal(method, "RequestDirectory"))
        return FALSE;
    const char *uri;
    const char *after;
    g_variant_get_child(arguments, 0, "&s", &uri);
    g_variant_get_child(arguments, 1, "&s", &after);
    g_assert_cmpstr(uri, ==, PARENT);
    g_string_append_printf(world->requested, "(%s)", after);
    const char *reply = *world->replies;
    if (world->replies[1] != NULL)
        world->replies++;
    if (*reply == '\0')
        g_dbus_method_invocation_return_dbus_error(invocation, "org.roundel.Error.LimitsExceeded", "Too much");
    else
        g_dbus_method_invocation_return_value(invocation, g_variant_new_parsed(reply));
    return TRUE;
}

static void on_item(const char *item_uri, const char *folder_uri, const char *badge, gpointer data)
{
    (void)folder_uri;
    World *world = data;
    g_string_append_printf(world->reports, "%s=%s ", strrchr(item_uri, '/') + 1, badge == NULL ? "-" : badge);
}

static void begin(World *world, const char *const *replies)
{
    *world = (World){ .replies = replies, .requested = g_string_new(NULL), .reports = g_string_new(NULL) };
    world->service = fake_service_new(FOLDER, on_call, world);
    world->link = session_bus_link_new(NULL, NULL);
    world->explorer = explorer_new(world->link, on_item, world);
}

static void end(World *world)
{
    host_link_free(world->link);
    explorer_free(world->explorer);
    fake_service_free(world->service);
    g_string_free(world->requested, TRUE);
    g_string_free(world->reports, TRUE);
}

static gboolean has_reported(gpointer world)
{
    return ((World *)world)->reports->len > 0;
}

static gboolean has_taken_away(gpointer world)
{
    return strstr(((World *)world)->reports->str, "sync=-") != NULL;
}

/* The folder has a badge; then everything is asked for again, and its badge is no longer among what there is. */
static void assert_taken_away(const char *const *replies, const char *requested)
{
    World world;
    begin(&world, replies);
    wait_until(has_reported, &world);
    g_assert_cmpstr(world.reports->str, ==, "sync=error ");
    fake_service_emit(world.service, "Reset", g_variant_new("(a{sv})", NULL));
    wait_until(has_taken_away, &world);
    fake_service_flush(world.service);
    g_assert_cmpstr(world.requested->str, ==, requested);
    end(&world);
}

#define PAGE(names, badges, flags, progress, next)                                                                     \
    "(" names ", " badges ", " flags ", " progress ", '" next "', @a{sv} {})"
#define PAGE_OF(name, next) PAGE("['" name "']", "['error']", "[@u 0]", "[@y 255]", next)
#define EMPTY_PAGE(next) PAGE("@as []", "@as []", "@au []", "@ay []", next)

static void what_no_page_names_is_gone(void)
{
    static const char *const replies[] = { PAGE_OF("sync", ""), PAGE_OF("a", "a"), PAGE_OF("b", ""), NULL };
    assert_taken_away(replies, "()()(a)");
}

static void an_empty_page_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("sync", ""), PAGE_OF("a", "a"), EMPTY_PAGE("b"), NULL };
    assert_taken_away(replies, "()()(a)");
}

static void a_page_that_is_followed_by_itself_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("sync", ""), PAGE_OF("a", "a"), PAGE_OF("b", "a"), NULL };
    assert_taken_away(replies, "()()(a)");
}

static void a_page_that_leads_back_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("sync", ""), PAGE_OF("b", "b"), PAGE_OF("c", "a"),
        PAGE_OF("never", "z"), NULL };
    assert_taken_away(replies, "()()(b)");
}

static void an_error_is_the_end(void)
{
    static const char *const replies[] = { PAGE_OF("sync", ""), PAGE_OF("a", "a"), "", NULL };
    assert_taken_away(replies, "()()(a)");
}

void add_explorer_tests(void)
{
    g_test_add_func("/explorer/pages", what_no_page_names_is_gone);
    g_test_add_func("/explorer/empty", an_empty_page_is_the_last_one);
    g_test_add_func("/explorer/standing-still", a_page_that_is_followed_by_itself_is_the_last_one);
    g_test_add_func("/explorer/going-back", a_page_that_leads_back_is_the_last_one);
    g_test_add_func("/explorer/error", an_error_is_the_end);
}
