/* How the plugin for Nautilus, Nemo and Caja requests badges and answers the file manager's questions about them, with
 * a service that the tests play. */

#include "gtk-plugin-observer-tests.h"

#include "fake-service.h"
#include "gio/session-bus.h"
#include "gtk-plugin-fakes.h"
#include "host/observer.h"
#include "item-objects.h"
#include "pending-updates.h"
#include "shown-item.h"

#include <string.h>

#define DIRECTORY "file:///sync"
#define LINK "file:///link"
#define ELSEWHERE "file:///elsewhere"
#define ERROR "error"

typedef struct {
    /* The replies to RequestDirectory in their order, the last one for all that follow; ERROR for an error. */
    const char *const *replies;
    GString *requested;     /* what each request for the directory began after */
    GString *requested_few; /* how many names each request by name held */
    FakeService *service;
    HostLink *link;
    TimeSlice slice;
    PendingUpdates *pending;
    Observer *observer;
    guint completed;
    guint found;
    const char *directory; /* the one that is shown, or NULL for several */
    GString *values;       /* of the items, as they came */
} World;

static void reply_with_page(World *world, GVariant *arguments, GDBusMethodInvocation *invocation)
{
    const char *after;
    g_variant_get_child(arguments, 1, "&s", &after);
    g_string_append_printf(world->requested, "(%s)", after);
    const char *reply = *world->replies;
    if (world->replies[1] != NULL)
        world->replies++;
    if (g_str_equal(reply, ERROR))
        g_dbus_method_invocation_return_dbus_error(invocation, "org.roundel.Error.LimitsExceeded", "Too much");
    else
        g_dbus_method_invocation_return_value(invocation, g_variant_new_parsed(reply));
}

/* Every item is synced. */
static void reply_with_badges(World *world, GVariant *arguments, GDBusMethodInvocation *invocation)
{
    g_autoptr(GVariant) names = g_variant_get_child_value(arguments, 1);
    gsize count = g_variant_n_children(names);
    g_string_append_printf(world->requested_few, "%" G_GSIZE_FORMAT " ", count);
    g_autofree const char **badges = g_new(const char *, count);
    for (gsize row = 0; row < count; row++)
        badges[row] = "synced";
    g_autofree guint32 *flags = g_new0(guint32, count);
    g_autofree guint8 *progress = g_malloc(count);
    memset(progress, PROGRESS_NONE, count);
    GVariant *columns[] = {
        g_variant_new_strv(badges, (gssize)count),
        g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, flags, count, sizeof *flags),
        g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, progress, count, sizeof *progress),
        g_variant_new("a{sv}", NULL),
    };
    g_dbus_method_invocation_return_value(invocation, g_variant_new_tuple(columns, G_N_ELEMENTS(columns)));
}

/* A link leads into the folder, another directory does not. */
static void reply_whether_monitored(GVariant *arguments, GDBusMethodInvocation *invocation)
{
    const char *uri;
    g_variant_get_child(arguments, 0, "&s", &uri);
    g_dbus_method_invocation_return_value(
        invocation, g_variant_new("(ba{sv})", !g_str_has_prefix(uri, ELSEWHERE), NULL));
}

static gboolean on_call(const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data)
{
    if (g_str_equal(method, "BeginObserving"))
        reply_whether_monitored(arguments, invocation);
    else if (g_str_equal(method, "RequestDirectory"))
        reply_with_page(data, arguments, invocation);
    else if (g_str_equal(method, "RequestBadges"))
        reply_with_badges(data, arguments, invocation);
    else
        return FALSE;
    return TRUE;
}

static void on_completed(const char *directory_uri, gpointer data)
{
    World *world = data;
    if (world->directory != NULL)
        g_assert_cmpstr(directory_uri, ==, world->directory);
    world->completed++;
    pending_updates_answer(world->pending, directory_uri);
}

static void on_item_changed(const char *directory_uri, const char *name, BadgeChange change, gpointer data)
{
    World *world = data;
    if (world->directory != NULL)
        g_assert_cmpstr(directory_uri, ==, world->directory);
    g_assert_cmpint(change, ==, BADGE_CHANGED);
    g_string_append_printf(world->values, "%s ", name);
}

static void on_directory_found(const char *directory_uri, gpointer data)
{
    World *world = data;
    g_assert_true(g_str_has_prefix(directory_uri, LINK));
    world->found++;
}

static gboolean is_completed(gpointer world)
{
    return ((World *)world)->completed > 0;
}

static gboolean never(gpointer data)
{
    (void)data;
    g_assert_not_reached();
}

/* Nothing but the service ends a question's waiting. */
static guint start_no_timer(guint milliseconds, GSourceFunc function, gpointer data)
{
    (void)milliseconds, (void)function, (void)data;
    return g_timeout_add_seconds(G_MAXUINT, never, NULL);
}

static void on_answer(FmFileInfo *item, gboolean was_postponed, gpointer data)
{
    (void)item, (void)was_postponed, (void)data;
}

static void begin(World *world, const char *const *replies, gboolean asks_by_name)
{
    static const ObserverEvents observer_events = { { on_completed, on_item_changed }, on_directory_found };
    *world = (World){
        .replies = replies,
        .directory = DIRECTORY,
        .requested = g_string_new(NULL),
        .requested_few = g_string_new(NULL),
        .values = g_string_new(NULL),
        .slice = time_slice_new(g_get_monotonic_time),
    };
    world->service = fake_service_new(DIRECTORY, on_call, world);
    world->pending = pending_updates_new(&world->slice, start_no_timer, on_answer, world);
    world->link = session_bus_link_new(NULL, NULL);
    const ObserverParts parts = { world->link, &world->slice, &item_objects, { .asks_by_name = asks_by_name } };
    world->observer = observer_new(&parts, &observer_events, world);
}

/* Shows the directory until nothing more is going to be known of it, and nothing is on its way. */
static void show(World *world)
{
    observer_show(world->observer, world->directory);
    wait_until(is_completed, world);
    fake_service_flush(world->service);
}

static void end(World *world)
{
    host_link_free(world->link);
    observer_free(world->observer);
    pending_updates_free(world->pending);
    fake_service_free(world->service);
    g_string_free(world->requested, TRUE);
    g_string_free(world->requested_few, TRUE);
    g_string_free(world->values, TRUE);
}

static void assert_shown(const char *const *replies, const char *requested, const char *values)
{
    World world;
    begin(&world, replies, FALSE);
    show(&world);
    g_assert_cmpstr(world.requested->str, ==, requested);
    g_assert_cmpstr(world.values->str, ==, values);
    g_assert_cmpuint(world.completed, ==, 1);
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

/* Questions of the file manager */

/* Asks about an item before the directory is known; it has to be answered by whatever ends the listing. */
static void assert_question_answered(const char *const *replies)
{
    World world;
    begin(&world, replies, FALSE);
    g_autoptr(GObject) item = (GObject *)fake_item_new(DIRECTORY "/a");
    g_autoptr(GObject) provider = (GObject *)fake_provider_new();
    FakeQuestion question;
    fake_question_init(&question);
    const PendingUpdate update = { (FmInfoProvider *)provider, (FmFileInfo *)item, question.complete };
    gpointer handle = pending_updates_add(world.pending, &update, DIRECTORY);
    show(&world);
    g_assert_cmpuint(question.answers, ==, 1);
    g_assert_true(question.handle == handle);
    end(&world);
    fake_question_clear(&question);
}

static void a_question_is_answered_by_the_end_of_the_listing(void)
{
    static const char *const complete[] = { PAGE_OF("a", ""), NULL };
    assert_question_answered(complete);
    static const char *const endless[] = { PAGE_OF("a", "a"), NULL };
    assert_question_answered(endless);
    static const char *const failing[] = { ERROR, NULL };
    assert_question_answered(failing);
}

/* Directories that lie in no folder by their spelling */

static FmFileInfo *ask_about(World *world, FmFileInfo *item)
{
    g_autofree char *uri = fm_file_info_get_uri(item);
    observer_request(world->observer, observer_track(world->observer, uri, item));
    return item;
}

static void a_directory_that_leads_into_a_folder_is_observed(void)
{
    static const char *const replies[] = { PAGE_OF("a", ""), NULL };
    World world;
    begin(&world, replies, FALSE);
    world.directory = LINK;
    show(&world);
    g_assert_cmpstr(world.values->str, ==, "a ");
    g_assert_cmpuint(world.found, ==, 1);
    g_assert_true(observer_holds(world.observer, LINK));
    g_assert_true(observer_holds(world.observer, LINK "/a"));
    g_assert_true(observer_holds(world.observer, DIRECTORY "/a"));
    g_assert_false(observer_holds(world.observer, ELSEWHERE "/a"));
    observer_hide(world.observer, LINK);
    fake_service_flush(world.service);
    g_assert_false(observer_holds(world.observer, LINK "/a"));
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 1);
    g_assert_cmpuint(fake_service_count(world.service, "EndObserving"), ==, 1);
    end(&world);
}

static gboolean is_asked(gpointer world)
{
    return fake_service_count(((World *)world)->service, "BeginObserving") > 0;
}

/* Whoever looks elsewhere costs one message for a directory, however many items are in it and places show it. */
static void a_directory_that_leads_nowhere_is_asked_about_once(void)
{
    static const char *const replies[] = { PAGE_OF("never", ""), NULL };
    World world;
    begin(&world, replies, TRUE);
    world.directory = ELSEWHERE;
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
    g_ptr_array_add(items, ask_about(&world, fake_item_new(ELSEWHERE "/a")));
    observer_show(world.observer, ELSEWHERE);
    wait_until(is_asked, &world);
    fake_service_flush(world.service);
    observer_show(world.observer, ELSEWHERE);
    g_ptr_array_add(items, ask_about(&world, fake_item_new(ELSEWHERE "/b")));
    fake_service_flush(world.service);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 1);
    observer_hide(world.observer, ELSEWHERE);
    observer_hide(world.observer, ELSEWHERE);
    fake_service_flush(world.service);
    g_assert_cmpuint(fake_service_count(world.service, "EndObserving"), ==, 0);
    g_assert_cmpstr(world.requested_few->str, ==, "");
    g_assert_cmpuint(world.found, ==, 0);
    observer_show(world.observer, ELSEWHERE);
    fake_service_flush(world.service);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 2);
    end(&world);
}

static gboolean is_asked_again(gpointer world)
{
    return fake_service_count(((World *)world)->service, "BeginObserving") > 1;
}

static void other_folders_are_a_reason_to_ask_again(void)
{
    static const char *const replies[] = { PAGE_OF("never", ""), NULL };
    World world;
    begin(&world, replies, FALSE);
    world.directory = ELSEWHERE;
    observer_show(world.observer, ELSEWHERE);
    wait_until(is_asked, &world);
    fake_service_flush(world.service);
    fake_service_change_folder(world.service, "file:///other");
    wait_until(is_asked_again, &world);
    end(&world);
}

/* Items that are shown elsewhere than in a place of their directory */

static const char *const every_page[] = { PAGE_OF("a", ""), NULL };

static gboolean is_ended(gpointer world)
{
    return fake_service_count(((World *)world)->service, "EndObserving") > 0;
}

static void an_item_elsewhere_is_followed_until_it_is_gone(void)
{
    World world;
    begin(&world, every_page, FALSE);
    FmFileInfo *item = ask_about(&world, fake_item_new(DIRECTORY "/a"));
    wait_until(is_completed, &world);
    fake_service_flush(world.service);
    g_assert_cmpstr(world.values->str, ==, "a ");
    ask_about(&world, item);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 1);
    g_assert_cmpuint(fake_service_count(world.service, "EndObserving"), ==, 0);
    g_object_unref(item);
    wait_until(is_ended, &world);
    end(&world);
}

/* Without badges nothing is known of the directory once the item is gone, but the service still observes it. The file
 * manager goes to another place in the turn in which the item goes. */
static void an_observation_is_ended_though_a_place_comes_first(void)
{
    static const char *const no_badges[] = { EMPTY_PAGE(""), NULL };
    World world;
    begin(&world, no_badges, FALSE);
    world.directory = NULL;
    FmFileInfo *item = ask_about(&world, fake_item_new(DIRECTORY "/a"));
    wait_until(is_completed, &world);
    fake_service_flush(world.service);
    g_object_unref(item);
    observer_show(world.observer, LINK);
    wait_until(is_ended, &world);
    fake_service_flush(world.service);
    g_assert_cmpuint(fake_service_count(world.service, "EndObserving"), ==, 1);
    end(&world);
}

static gboolean are_both_listed(gpointer world)
{
    return ((World *)world)->completed == 2;
}

static gboolean is_asked_for_once(gpointer item)
{
    return fake_item_invalidations(item) == 1;
}

static gboolean is_asked_for_twice(gpointer item)
{
    return fake_item_invalidations(item) == 2;
}

static gboolean is_one_left(gpointer data)
{
    const World *world = data;
    return fake_service_count(world->service, "EndObserving") == 2;
}

/* Of two directories the file manager still shows items of one. */
static void an_item_that_is_asked_about_no_more_is_not_followed(void)
{
    World world;
    begin(&world, every_page, FALSE);
    world.directory = NULL;
    g_autoptr(GObject) kept = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/a"));
    g_autoptr(GObject) left = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/sub/a"));
    wait_until(are_both_listed, &world);
    wait_until(is_asked_for_once, kept);
    observer_show(world.observer, LINK);
    observer_hide(world.observer, LINK);
    wait_until(is_asked_for_twice, kept);
    ask_about(&world, (FmFileInfo *)kept);
    wait_until(is_one_left, &world);
    fake_service_flush(world.service);
    g_assert_true(
        observer_track(world.observer, DIRECTORY "/a", (FmFileInfo *)kept)->directory->state == DIRECTORY_OBSERVED);
    g_assert_true(observer_track(world.observer, DIRECTORY "/sub/a", (FmFileInfo *)left)->directory->state
                  == DIRECTORY_UNOBSERVED);
    end(&world);
}

/* Its items are asked about as well, now and then, though nobody sees them. */
static void a_place_behind_others_is_not_shown(void)
{
    World world;
    begin(&world, every_page, FALSE);
    world.directory = LINK;
    observer_add_place(world.observer, DIRECTORY);
    g_autoptr(GObject) item = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/a"));
    show(&world);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 1);
    observer_remove_place(world.observer, DIRECTORY);
    end(&world);
}

static gboolean is_found(gpointer world)
{
    return ((World *)world)->found > 0;
}

/* A search finds items in many directories: the service is asked about those alone that may be in a folder. */
static void an_item_outside_of_the_folders_costs_no_question(void)
{
    World world;
    begin(&world, every_page, FALSE);
    world.directory = NULL;
    g_autoptr(GObject) outside = (GObject *)ask_about(&world, fake_item_new(ELSEWHERE "/a"));
    observer_show(world.observer, LINK);
    wait_until(is_found, &world);
    fake_service_flush(world.service);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 1);
    g_autoptr(GObject) branch = (GObject *)ask_about(&world, fake_item_new(LINK "/sub/deeper/a"));
    fake_service_flush(world.service);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 2);
    end(&world);
}

static void an_item_of_a_virtual_place_stands_for_what_it_opens(void)
{
    static const char *const items[][3] = {
        { "recent:///1f2e", DIRECTORY "/a b", DIRECTORY "/a%20b" },
        { "recent:///1f2e", "https://example.org/", NULL },
        { "recent:///1f2e", NULL, NULL },
        { DIRECTORY "/a", ELSEWHERE "/a", DIRECTORY "/a" },
    };
    for (gsize i = 0; i < G_N_ELEMENTS(items); i++) {
        g_autoptr(GObject) item = (GObject *)fake_virtual_item_new(items[i][0], items[i][1]);
        g_autofree char *uri = shown_item_uri((FmFileInfo *)item);
        g_assert_cmpstr(uri, ==, items[i][2]);
    }
}

/* A name whose badge was taken away */

static gboolean is_told_twice(gpointer data)
{
    return g_str_equal(((World *)data)->values->str, "a a ");
}

static gboolean is_told_thrice(gpointer data)
{
    return g_str_equal(((World *)data)->values->str, "a a a ");
}

/* The directory was listed once, and that the item is there again is news to the service. */
static void a_name_that_is_made_again_is_asked_about(void)
{
    World world;
    begin(&world, every_page, FALSE);
    g_autoptr(GObject) first = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/a"));
    show(&world);
    fake_service_emit(world.service, "BadgesChanged",
        g_variant_new_parsed("('" DIRECTORY "', ['a'], [''], [@u 0], [@y 255], @a{sv} {})"));
    wait_until(is_told_twice, &world);
    ask_about(&world, (FmFileInfo *)first);
    fake_service_flush(world.service);
    g_assert_cmpstr(world.requested_few->str, ==, "");
    g_clear_object(&first);
    g_autoptr(GObject) second = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/a"));
    wait_until(is_told_thrice, &world);
    g_assert_cmpstr(world.requested_few->str, ==, "1 ");
    g_assert_cmpstr(world.requested->str, ==, "()");
    end(&world);
}

/* Two objects for one name */

/* A file took the place of another. The file manager asks about the object that it shows, and last about the other. */
static void every_object_of_a_name_is_refreshed(void)
{
    World world;
    begin(&world, every_page, FALSE);
    g_autoptr(GObject) old = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/a"));
    g_autoptr(GObject) shown = (GObject *)ask_about(&world, fake_item_new(DIRECTORY "/a"));
    ask_about(&world, (FmFileInfo *)old);
    show(&world);
    wait_until(is_asked_for_once, shown);
    wait_until(is_asked_for_once, old);
    g_clear_object(&old);
    fake_service_emit(world.service, "BadgesChanged",
        g_variant_new_parsed("('" DIRECTORY "', ['a'], ['error'], [@u 0], [@y 255], @a{sv} {})"));
    wait_until(is_asked_for_twice, shown);
    g_assert_cmpuint(fake_service_count(world.service, "BeginObserving"), ==, 1);
    g_assert_cmpuint(fake_service_count(world.service, "EndObserving"), ==, 0);
    end(&world);
}

/* By name */

enum { MANY = 4500 };

static gboolean has_all_values(gpointer data)
{
    const World *world = data;
    guint values = 0;
    for (const char *at = world->values->str; (at = strchr(at, ' ')) != NULL; at++)
        values++;
    return values == MANY;
}

/* Two thousand names make a request, no name is asked for twice, and each item is refreshed once. */
static void a_file_manager_that_asks_about_some_gets_these_in_batches(void)
{
    static const char *const no_pages[] = { ERROR, NULL };
    World world;
    begin(&world, no_pages, TRUE);
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
    for (guint number = 0; number < MANY; number++) {
        g_autofree char *uri = g_strdup_printf(DIRECTORY "/%u", number);
        g_ptr_array_add(items, ask_about(&world, fake_item_new(uri)));
    }
    observer_show(world.observer, DIRECTORY);
    wait_until(has_all_values, &world);
    for (guint number = 0; number < MANY; number++)
        ask_about(&world, g_ptr_array_index(items, number));
    fake_service_flush(world.service);
    g_assert_cmpstr(world.requested_few->str, ==, "2000 2000 500 ");
    g_assert_cmpstr(world.requested->str, ==, "");
    for (guint number = 0; number < MANY; number++)
        g_assert_cmpuint(fake_item_invalidations(g_ptr_array_index(items, number)), ==, 1);
    end(&world);
}

void add_observer_tests(void)
{
    g_test_add_func("/listing/pages", pages_follow_each_other);
    g_test_add_func("/listing/empty", an_empty_page_is_the_last_one);
    g_test_add_func("/listing/standing-still", a_page_that_is_followed_by_itself_is_the_last_one);
    g_test_add_func("/listing/going-back", a_page_that_leads_back_is_the_last_one);
    g_test_add_func("/listing/nonsense", a_page_that_leads_nowhere_is_the_last_one);
    g_test_add_func("/listing/error", an_error_is_the_end);
    g_test_add_func("/listing/question", a_question_is_answered_by_the_end_of_the_listing);
    g_test_add_func("/elsewhere/found", a_directory_that_leads_into_a_folder_is_observed);
    g_test_add_func("/elsewhere/once", a_directory_that_leads_nowhere_is_asked_about_once);
    g_test_add_func("/elsewhere/folders", other_folders_are_a_reason_to_ask_again);
    g_test_add_func("/implied/gone", an_item_elsewhere_is_followed_until_it_is_gone);
    g_test_add_func("/implied/place", an_observation_is_ended_though_a_place_comes_first);
    g_test_add_func("/implied/doubted", an_item_that_is_asked_about_no_more_is_not_followed);
    g_test_add_func("/implied/behind", a_place_behind_others_is_not_shown);
    g_test_add_func("/implied/outside", an_item_outside_of_the_folders_costs_no_question);
    g_test_add_func("/implied/virtual", an_item_of_a_virtual_place_stands_for_what_it_opens);
    g_test_add_func("/returned/asked", a_name_that_is_made_again_is_asked_about);
    g_test_add_func("/objects/every", every_object_of_a_name_is_refreshed);
    g_test_add_func("/by-name/batches", a_file_manager_that_asks_about_some_gets_these_in_batches);
}
