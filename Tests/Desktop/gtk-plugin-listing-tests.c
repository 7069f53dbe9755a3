/* How the plugin for Nautilus and Caja requests the badges of a whole directory, with a service that the tests play. */

#include "gtk-plugin-listing-tests.h"

#include "fake-service.h"
#include "observer.h"

#define DIRECTORY "file:///sync"
#define ERROR "error"

/* The replies to RequestDirectory in their order, the last one for all that follow; ERROR for an error. */
typedef struct {
    const char *const *replies;
    GString *requested; /* what each request began after */
    FakeService *service;
    HostLink *link;
    RefreshQueue *refresh;
    TimeSlice slice;
    Observer *observer;
    guint settled;
    GString *values; /* of the items, as they came */
} World;

static gboolean on_call(const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data)
{
    World *world = data;
    if (!g_str_equal(method, "RequestDirectory"))
        return FALSE;
    const char *after;
    g_variant_get_child(arguments, 1, "&s", &after);
    g_string_append_printf(world->requested, "(%s)", after);
    const char *reply = *world->replies;
    if (world->replies[1] != NULL)
        world->replies++;
    if (g_str_equal(reply, ERROR)) {
        g_dbus_method_invocation_return_dbus_error(invocation, "org.roundel.Error.LimitsExceeded", "Too much");
    } else {
        GVariant *value = g_variant_new_parsed(reply);
        g_dbus_method_invocation_return_value(invocation, value);
    }
    return TRUE;
}

static void on_settled(const char *directory_uri, gpointer data)
{
    World *world = data;
    g_assert_cmpstr(directory_uri, ==, DIRECTORY);
    world->settled++;
}

static void on_item_changed(const char *directory_uri, const char *name, BadgeChange change, gpointer data)
{
    World *world = data;
    g_assert_cmpstr(directory_uri, ==, DIRECTORY);
    g_assert_cmpint(change, ==, BADGE_CHANGED);
    g_string_append_printf(world->values, "%s ", name);
}

static void on_connected(gpointer data)
{
    World *world = data;
    observer_connected(world->observer);
}

static void on_gone(gpointer data)
{
    World *world = data;
    observer_gone(world->observer);
}

static gboolean is_settled(gpointer world)
{
    return ((World *)world)->settled > 0;
}

/* Shows the directory until the file manager's questions about it are settled and nothing more is on its way. */
static void show(World *world, const char *const *replies)
{
    static const HostLinkEvents events = {
        .connected = on_connected,
        .gone = on_gone,
    };
    static const ObserverEvents observer_events = { on_settled, on_item_changed };
    *world = (World){ .replies = replies, .requested = g_string_new(NULL), .values = g_string_new(NULL) };
    world->service = fake_service_new(DIRECTORY, on_call, world);
    world->refresh = refresh_queue_new();
    world->link = host_link_new(&events, world);
    world->slice = time_slice_new(g_get_monotonic_time);
    const ObserverParts parts = { world->link, world->refresh, &world->slice, FALSE };
    world->observer = observer_new(&parts, &observer_events, world);
    observer_show(world->observer, DIRECTORY);
    wait_until(is_settled, world);
    fake_service_flush(world->service);
}

static void end(World *world)
{
    host_link_free(world->link);
    observer_free(world->observer);
    refresh_queue_free(world->refresh);
    fake_service_free(world->service);
    g_string_free(world->requested, TRUE);
    g_string_free(world->values, TRUE);
}

static void assert_shown(const char *const *replies, const char *requested, const char *values)
{
    World world;
    show(&world, replies);
    g_assert_cmpstr(world.requested->str, ==, requested);
    g_assert_cmpstr(world.values->str, ==, values);
    g_assert_cmpuint(world.settled, ==, 1);
    end(&world);
}

#define PAGE(names, badges, flags, progress, next)                                                                     \
    "(" names ", " badges ", " flags ", " progress ", '" next "', @a{sv} {})"
#define PAGE_OF(name, next) PAGE("['" name "']", "['synced']", "[@u 0]", "[@y 255]", next)
#define EMPTY_PAGE(next) PAGE("@as []", "@as []", "@au []", "@ay []", next)

static void pages_follow_each_other(void)
{
    static const char *const replies[] = { PAGE_OF("a", "a"), PAGE_OF("b%20", "b%20"), PAGE_OF("c", ""), NULL };
    assert_shown(replies, "()(a)(b%20)", "a b%20 c ");
}

static void an_empty_page_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("a", "a"), EMPTY_PAGE("b"), NULL };
    assert_shown(replies, "()(a)", "a ");
}

static void a_page_that_is_followed_by_itself_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("a", "a"), PAGE_OF("b", "a"), NULL };
    assert_shown(replies, "()(a)", "a b ");
}

/* By decoded bytes %2D comes before a, which comes before the encoded byte %C3. */
static void a_page_that_leads_back_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("a", "a"), PAGE_OF("%C3", "%C3"), PAGE_OF("z", "a"),
        PAGE_OF("never", "z"), NULL };
    assert_shown(replies, "()(a)(%C3)", "a %C3 z ");
}

static void a_page_that_leads_nowhere_is_the_last_one(void)
{
    static const char *const replies[] = { PAGE_OF("a", "%zz"), PAGE_OF("never", ""), NULL };
    assert_shown(replies, "()", "a ");
}

static void an_error_is_the_end(void)
{
    static const char *const at_once[] = { ERROR, NULL };
    assert_shown(at_once, "()", "");
    static const char *const later[] = { PAGE_OF("a", "a"), ERROR, NULL };
    assert_shown(later, "()(a)", "a ");
}

void add_listing_tests(void)
{
    g_test_add_func("/listing/pages", pages_follow_each_other);
    g_test_add_func("/listing/empty", an_empty_page_is_the_last_one);
    g_test_add_func("/listing/standing-still", a_page_that_is_followed_by_itself_is_the_last_one);
    g_test_add_func("/listing/going-back", a_page_that_leads_back_is_the_last_one);
    g_test_add_func("/listing/nonsense", a_page_that_leads_nowhere_is_the_last_one);
    g_test_add_func("/listing/error", an_error_is_the_end);
}
