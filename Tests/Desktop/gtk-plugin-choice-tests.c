/* What becomes of a menu that is asked for, and of an item that a person chooses in it. The tests play the service. */

#include "gtk-plugin-choice-tests.h"

#include "fake-service.h"
#include "gio/activation-options.h"
#include "gio/chosen-item.h"
#include "gio/session-bus.h"
#include "host/menu-question.h"

#define FOLDER "file:///sync"

typedef struct {
    FakeService *service;
    HostLink *link;
    Menus *menus;
    GVariant *question;
    GObject *window;
    const char *offered; /* what GetMenu answers: rows of type aa{sv} */
    guint late;          /* how many menus are given while their provider has not answered */
    guint64 last;        /* the number of the last menu that was given */
    guint stale;         /* how many activations are answered with StaleMenu */
    guint answers;       /* how many menus came for whoever waits for them … */
    guint items;         /* … how many items the last one had … */
    gboolean incomplete; /* … and whether it lacked some */
    guint changes;       /* how often the file manager had to ask again */
    GString *activated;  /* what Activate was called with */
    GString *copied;     /* texts for the clipboard */
} World;

/* The number of a window, which the object of this test stands for. */
static GVariant *make_options(gpointer window)
{
    return activation_options_new(7, window == NULL ? 0 : 0x1234);
}

static void reply_to_activate(World *world, GVariant *arguments, GDBusMethodInvocation *invocation)
{
    g_autofree char *text = g_variant_print(arguments, TRUE);
    g_string_append(world->activated, text);
    if (world->stale > 0) {
        world->stale--;
        g_dbus_method_invocation_return_dbus_error(invocation, "org.roundel.Error.StaleMenu", "Too old");
    } else {
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(a{sv})", NULL));
    }
}

static GVariant *make_menu(guint64 number, const char *rows, const char *extra)
{
    return g_variant_new("(t@aa{sv}@a{sv})", number, g_variant_new_parsed(rows), g_variant_new_parsed(extra));
}

static void reply_to_get_menu(World *world, GDBusMethodInvocation *invocation)
{
    world->last++;
    if (world->late > 0) {
        world->late--;
        g_dbus_method_invocation_return_value(
            invocation, make_menu(world->last, "@aa{sv} []", "{'incomplete': <['Sky', 'Sea']>}"));
    } else {
        g_dbus_method_invocation_return_value(invocation, make_menu(world->last, world->offered, "@a{sv} {}"));
    }
}

/* The provider of the last menu answers. */
static void complete(World *world)
{
    fake_service_emit(world->service, "MenuChanged", make_menu(world->last, world->offered, "@a{sv} {}"));
}

static gboolean on_call(const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data)
{
    World *world = data;
    if (g_str_equal(method, "Activate")) {
        reply_to_activate(world, arguments, invocation);
    } else if (g_str_equal(method, "GetMenu")) {
        reply_to_get_menu(world, invocation);
    } else {
        return FALSE;
    }
    return TRUE;
}

static World *copying; /* the world whose texts are copied: a clipboard is nobody's in particular */

static void copy(const char *text)
{
    g_string_append(copying->copied, text);
}

static void on_answered(GVariant *question, const MenuAnswer *answer, gpointer data)
{
    World *world = data;
    g_assert_true(menu_question_equal(question, world->question));
    world->answers++;
    world->items = answer->items->len;
    world->incomplete = answer->is_incomplete;
}

static void on_changed(gpointer data)
{
    World *world = data;
    world->changes++;
}

static gboolean is_connected(gpointer link)
{
    return host_link_is_connected(link);
}

static void begin(World *world, gconstpointer data)
{
    (void)data;
    static const MenusEvents events = { on_answered, NULL, on_changed, make_options, copy };
    copying = world;
    world->copied = g_string_new(NULL);
    world->service = fake_service_new(FOLDER, on_call, world);
    world->link = session_bus_link_new(NULL, NULL);
    world->menus = menus_new(world->link, &events, world);
    world->question = menu_question_new(MENU_OF_CONTAINER, FOLDER, NULL);
    world->window = g_object_new(G_TYPE_OBJECT, NULL);
    world->offered = "[{'id': <'p/a'>}]";
    world->last = 1;
    world->activated = g_string_new(NULL);
    wait_until(is_connected, world->link);
}

static void end(World *world, gconstpointer data)
{
    (void)data;
    if (world->link != NULL) {
        host_link_free(world->link);
        menus_end(world->menus);
    }
    fake_service_free(world->service);
    g_variant_unref(world->question);
    g_clear_object(&world->window);
    g_string_free(world->activated, TRUE);
    g_string_free(world->copied, TRUE);
}

static ChosenItem *make_item(World *world)
{
    return chosen_item_new(world->menus, world->question, 1, "p/a", world->window);
}

static void choose(World *world, ChosenItem *item)
{
    chosen_item_activate(item);
    /* Twice, because a stale menu takes three calls. */
    fake_service_flush(world->service);
    fake_service_flush(world->service);
    chosen_item_free(item, NULL);
}

static void a_choice_is_activated(World *world, gconstpointer data)
{
    (void)data;
    choose(world, make_item(world));
    g_assert_cmpstr(
        world->activated->str, ==, "(uint64 1, 'p/a', {'timestamp': <uint32 7>, 'parent-window': <'x11:1234'>})");
    g_assert_cmpuint(fake_service_count(world->service, "GetMenu"), ==, 0);
}

static void finish(World *world, guint32 outcome, const char *extra)
{
    choose(world, make_item(world));
    GVariant *values = g_variant_new_parsed(extra);
    fake_service_emit(
        world->service, "ActionFinished", g_variant_new("(tsus@a{sv})", (guint64)1, "p/a", outcome, "", values));
    fake_service_flush(world->service);
}

static void a_text_goes_to_the_clipboard(World *world, gconstpointer data)
{
    (void)data;
    finish(world, 0, "{'clipboard': <'https://example.org/s/1'>}");
    g_assert_cmpstr(world->copied->str, ==, "https://example.org/s/1");
}

/* Whoever pastes must not get something else than what was meant. */
static void nothing_else_goes_there(World *world, gconstpointer data)
{
    (void)data;
    finish(world, 0, "@a{sv} {}");
    finish(world, 0, "{'clipboard': <uint32 7>}");
    finish(world, 1, "{'clipboard': <'cancelled'>}");
    finish(world, 2, "{'clipboard': <'failed'>}");
    g_assert_cmpstr(world->copied->str, ==, "");
}

static void a_window_that_is_gone_is_left_out(World *world, gconstpointer data)
{
    (void)data;
    ChosenItem *item = make_item(world);
    g_clear_object(&world->window);
    choose(world, item);
    g_assert_cmpstr(world->activated->str, ==, "(uint64 1, 'p/a', {'timestamp': <uint32 7>})");
}

static void a_stale_menu_is_asked_for_again(World *world, gconstpointer data)
{
    (void)data;
    world->stale = 1;
    ChosenItem *item = make_item(world);
    g_clear_object(&world->window);
    choose(world, item);
    g_assert_cmpstr(world->activated->str, ==,
        "(uint64 1, 'p/a', {'timestamp': <uint32 7>})(uint64 2, 'p/a', {'timestamp': <uint32 7>})");
    g_assert_cmpuint(fake_service_count(world->service, "GetMenu"), ==, 1);
}

static void what_is_no_longer_offered_is_not_done(World *world, gconstpointer data)
{
    (void)data;
    world->stale = 1;
    world->offered = "[{'id': <'p/a'>, 'enabled': <false>}, {'id': <'p/b'>}]";
    g_test_expect_message("roundel", G_LOG_LEVEL_MESSAGE, "*p/a*no longer offered*");
    choose(world, make_item(world));
    g_test_assert_expected_messages();
    g_assert_cmpuint(fake_service_count(world->service, "Activate"), ==, 1);
}

/* A service that always says so is not asked without end. */
static void a_menu_that_stays_stale_is_given_up(World *world, gconstpointer data)
{
    (void)data;
    world->stale = G_MAXUINT;
    g_test_expect_message("roundel", G_LOG_LEVEL_MESSAGE, "*p/a*cannot be activated*");
    choose(world, make_item(world));
    g_test_assert_expected_messages();
    g_assert_cmpuint(fake_service_count(world->service, "Activate"), ==, 2);
}

/* The file manager unloads the plugin while a menu is on the screen. */
static void an_item_outlives_the_menus(World *world, gconstpointer data)
{
    (void)data;
    ChosenItem *item = make_item(world);
    host_link_free(world->link);
    menus_end(world->menus);
    world->link = NULL;
    choose(world, item);
    g_assert_cmpuint(fake_service_count(world->service, "Activate"), ==, 0);
}

static gboolean is_answered(gpointer data)
{
    return ((const World *)data)->answers > 0;
}

static gboolean is_changed(gpointer data)
{
    return ((const World *)data)->changes > 0;
}

/* Asks for the menu, and waits until whoever wants to show it gets something. */
static void ask_for_menu(World *world)
{
    world->answers = 0;
    world->changes = 0;
    menus_find(world->menus, world->question);
    wait_until(is_answered, world);
}

static guint count_items(World *world)
{
    const MenuAnswer *answer = menus_find(world->menus, world->question);
    return answer == NULL ? 0 : answer->items->len;
}

static gboolean is_complete(gpointer data)
{
    const World *world = data;
    return world->answers > 1 && !world->incomplete;
}

/* The menu says who is missing, and fills itself. */
static void a_late_provider_completes_the_menu(World *world, gconstpointer data)
{
    (void)data;
    world->late = 1;
    ask_for_menu(world);
    const MenuAnswer *answer = menus_find(world->menus, world->question);
    const MenuItem *line = g_ptr_array_index(answer->items, 0);
    g_assert_cmpuint(answer->items->len, ==, 1);
    g_assert_cmpstr(line->label, ==, "Waiting for Sky, Sea…");
    g_assert_false(line->enabled);
    wait_until(is_changed, world);
    world->changes = 0;
    complete(world);
    wait_until(is_complete, world);
    wait_until(is_changed, world);
    answer = menus_find(world->menus, world->question);
    g_assert_cmpuint(answer->items->len, ==, 1);
    g_assert_nonnull(menu_items_find_enabled(answer->items, "p/a"));
    g_assert_cmpuint(fake_service_count(world->service, "GetMenu"), ==, 1);
}

/* What was offered before stays until all is there. */
static void the_last_menu_is_shown_meanwhile(World *world, gconstpointer data)
{
    (void)data;
    ask_for_menu(world);
    world->late = 1;
    world->answers = 0;
    menus_ask(world->menus, world->question);
    wait_until(is_answered, world);
    g_assert_false(world->incomplete);
    g_assert_cmpuint(count_items(world), ==, 1);
    world->offered = "[{'id': <'p/a'>}, {'id': <'p/b'>}]";
    complete(world);
    wait_until(is_complete, world);
    g_assert_cmpuint(count_items(world), ==, 2);
    g_assert_cmpuint(fake_service_count(world->service, "GetMenu"), ==, 2);
}

/* The signal may be for a menu that another question was about, or nobody's any more. */
static void another_menu_completes_nothing(World *world, gconstpointer data)
{
    (void)data;
    world->late = 1;
    ask_for_menu(world);
    for (guint64 number = 0; number < 5; number++) {
        if (number != world->last)
            fake_service_emit(world->service, "MenuChanged", make_menu(number, world->offered, "@a{sv} {}"));
    }
    fake_service_flush(world->service);
    fake_service_flush(world->service);
    g_assert_cmpuint(world->answers, ==, 1);
    g_assert_true(world->incomplete);
}

static void a_choice_waits_for_a_late_provider(World *world, gconstpointer data)
{
    (void)data;
    world->stale = 1;
    world->late = 1;
    choose(world, make_item(world));
    fake_service_flush(world->service);
    g_assert_cmpuint(fake_service_count(world->service, "Activate"), ==, 1);
    complete(world);
    fake_service_flush(world->service);
    fake_service_flush(world->service);
    g_assert_cmpuint(fake_service_count(world->service, "GetMenu"), ==, 1);
    g_assert_true(g_str_has_suffix(
        world->activated->str, "(uint64 2, 'p/a', {'timestamp': <uint32 7>, 'parent-window': <'x11:1234'>})"));
}

static void add(const char *name, void (*test)(World *, gconstpointer))
{
    g_test_add(name, World, NULL, begin, test, end);
}

void add_choice_tests(void)
{
    add("/choice/activated", a_choice_is_activated);
    add("/choice/clipboard", a_text_goes_to_the_clipboard);
    add("/choice/no-clipboard", nothing_else_goes_there);
    add("/choice/window-gone", a_window_that_is_gone_is_left_out);
    add("/choice/stale", a_stale_menu_is_asked_for_again);
    add("/choice/no-longer-offered", what_is_no_longer_offered_is_not_done);
    add("/choice/always-stale", a_menu_that_stays_stale_is_given_up);
    add("/choice/outlives", an_item_outlives_the_menus);
    add("/choice/late", a_choice_waits_for_a_late_provider);
    add("/menus/late", a_late_provider_completes_the_menu);
    add("/menus/meanwhile", the_last_menu_is_shown_meanwhile);
    add("/menus/another", another_menu_completes_nothing);
}
