#include "menus.h"

#include "menu-question.h"
#include "names.h"

/* A user who moves quickly through many items requests more menus than the service can answer; the last ones count.
 */
#define AT_ONCE 4
#define WAITING 8

/* The service waits for a provider for 50 ms and then answers without it. If an empty answer took as long, the menu is
 * requested again, because the provider may be ready by now: a few times at once, for whoever waits for the menu, and
 * then after these times, for the next one who opens it. */
#define PATIENCE_MICROSECONDS 45000
#define ATTEMPTS 4
static const guint delays_in_milliseconds[] = { 300, 1000, 3000, 9000 };

/* At most so many menus are requested again later, the last ones. */
#define DELAYED 4

struct Menus {
    const HostLoop *loop;
    HostLink *link; /* NULL after the end */
    MenusEvents events;
    gpointer data;
    MenuCache *cache;
    guint64 generation; /* changes when the service goes; answers to earlier questions are dropped */
    guint asking;
    GQueue waiting; /* of questions, the newest last */
    GQueue delayed; /* of Delayed, the newest last; the cache takes them for being asked */
};

/* Asking */

typedef struct {
    Menus *menus;
    guint64 generation;
    GVariant *question;
    gint64 began;
    guint attempt;
} Asking;

/* A question that is asked again after a while. */
typedef struct {
    Menus *menus; /* which it belongs to */
    GVariant *question;
    guint attempt;
    guint timer; /* 0 when it is over */
} Delayed;

static void delayed_free(gpointer pointer)
{
    Delayed *delayed = pointer;
    host_loop_clear(delayed->menus->loop, &delayed->timer);
    g_variant_unref(delayed->question);
    g_free(delayed);
}

static void clear_questions(Menus *menus)
{
    g_queue_clear_full(&menus->waiting, (GDestroyNotify)g_variant_unref);
    g_queue_clear_full(&menus->delayed, delayed_free);
}

static void clear(gpointer pointer)
{
    Menus *menus = pointer;
    clear_questions(menus);
    menu_cache_free(menus->cache);
}

Menus *menus_ref(Menus *menus)
{
    return g_rc_box_acquire(menus);
}

void menus_unref(Menus *menus)
{
    g_rc_box_release_full(menus, clear);
}

static void asking_free(gpointer pointer)
{
    Asking *asking = pointer;
    if (asking->generation == asking->menus->generation)
        asking->menus->asking--;
    menus_unref(asking->menus);
    g_variant_unref(asking->question);
    g_free(asking);
}

static void on_menu(GVariant *reply, const HostError *error, gpointer data);

static void ask(Menus *menus, GVariant *question, guint attempt)
{
    Asking *asking = g_new(Asking, 1);
    *asking = (Asking){ menus_ref(menus), menus->generation, g_variant_ref(question), g_get_monotonic_time(), attempt };
    menus->asking++;
    host_link_call(
        menus->link, "GetMenu", menu_question_arguments(question), MENU_REPLY_TYPE, on_menu, asking, asking_free);
}

/* The call that is ending is still counted. */
static void ask_next(Menus *menus)
{
    g_autoptr(GVariant) question = menus->asking > AT_ONCE ? NULL : g_queue_pop_head(&menus->waiting);
    if (question != NULL)
        ask(menus, question, 1);
}

static void report_changed(const Menus *menus)
{
    if (menus->events.changed != NULL)
        menus->events.changed(menus->data);
}

static void report_answered(const Asking *asking, const MenuAnswer *answer)
{
    const Menus *menus = asking->menus;
    if (menus->events.answered != NULL)
        menus->events.answered(asking->question, answer, menus->data);
}

static void keep(const Asking *asking, GVariant *reply)
{
    Menus *menus = asking->menus;
    gboolean changed = menu_cache_put(menus->cache, asking->question, reply, g_get_monotonic_time());
    const MenuAnswer *answer = menu_cache_find(menus->cache, asking->question);
    /* Nobody waits any longer for what was asked again later, and another menu may be open by now. */
    if (answer != NULL && asking->attempt <= ATTEMPTS)
        report_answered(asking, answer);
    if (changed)
        report_changed(menus);
}

/* An empty answer that took as long as the service waits for a provider says nothing about the menu. */
static gboolean is_meaningless(const Asking *asking, GVariant *reply)
{
    g_autoptr(GVariant) rows = g_variant_get_child_value(reply, 1);
    return g_variant_n_children(rows) == 0 && g_get_monotonic_time() - asking->began >= PATIENCE_MICROSECONDS;
}

static gboolean on_delay_over(gpointer data)
{
    Delayed *delayed = data;
    delayed->timer = 0;
    g_queue_remove(&delayed->menus->delayed, delayed);
    ask(delayed->menus, delayed->question, delayed->attempt);
    delayed_free(delayed);
    return G_SOURCE_REMOVE;
}

/* The question is not asked again later. */
static void give_up(Menus *menus, GList *link)
{
    Delayed *delayed = link->data;
    menu_cache_fail(menus->cache, delayed->question);
    menu_cache_outdate_one(menus->cache, delayed->question);
    delayed_free(delayed);
    g_queue_delete_link(&menus->delayed, link);
}

static void ask_later(Menus *menus, GVariant *question, guint attempt)
{
    Delayed *delayed = g_new(Delayed, 1);
    *delayed = (Delayed){ menus, g_variant_ref(question), attempt, 0 };
    delayed->timer = host_loop_after(
        menus->loop, delays_in_milliseconds[attempt - ATTEMPTS - 1], on_delay_over, delayed);
    g_queue_push_tail(&menus->delayed, delayed);
    if (menus->delayed.length > DELAYED)
        give_up(menus, menus->delayed.head);
}

static void ask_again_for_late_provider(const Asking *asking)
{
    if (asking->attempt < ATTEMPTS) {
        ask(asking->menus, asking->question, asking->attempt + 1);
        return;
    }
    if (asking->attempt == ATTEMPTS) {
        g_autoptr(GPtrArray) nothing = g_ptr_array_new();
        report_answered(asking, &(MenuAnswer){ .items = nothing });
    }
    ask_later(asking->menus, asking->question, asking->attempt + 1);
}

static void on_menu(GVariant *reply, const HostError *error, gpointer data)
{
    const Asking *asking = data;
    Menus *menus = asking->menus;
    ask_next(menus);
    if (reply == NULL) {
        g_debug("GetMenu: %s", error->message);
        menu_cache_fail(menus->cache, asking->question);
    } else if (is_meaningless(asking, reply) && asking->attempt < ATTEMPTS + G_N_ELEMENTS(delays_in_milliseconds)) {
        ask_again_for_late_provider(asking);
    } else {
        keep(asking, reply);
    }
}

static void wait(Menus *menus, GVariant *question)
{
    g_queue_push_tail(&menus->waiting, g_variant_ref(question));
    if (menus->waiting.length <= WAITING)
        return;
    g_autoptr(GVariant) given_up = g_queue_pop_head(&menus->waiting);
    menu_cache_fail(menus->cache, given_up);
}

static int compare_question(gconstpointer delayed, gconstpointer question)
{
    return menu_question_equal(((const Delayed *)delayed)->question, question) ? 0 : 1;
}

static void ask_if_needed(Menus *menus, GVariant *question)
{
    /* Whoever asks now does not wait for that. */
    GList *delayed = g_queue_find_custom(&menus->delayed, question, compare_question);
    if (delayed != NULL)
        give_up(menus, delayed);
    if (!menu_cache_begin_asking(menus->cache, question, g_get_monotonic_time()))
        return;
    if (menus->asking < AT_ONCE)
        ask(menus, question, 1);
    else
        wait(menus, question);
}

const MenuAnswer *menus_find(Menus *menus, GVariant *question)
{
    if (!host_link_is_connected(menus->link))
        return NULL;
    ask_if_needed(menus, question);
    return menu_cache_find(menus->cache, question);
}

void menus_ask(Menus *menus, GVariant *question)
{
    if (!host_link_is_connected(menus->link))
        return;
    menu_cache_outdate_one(menus->cache, question);
    ask_if_needed(menus, question);
}

/* Acting */

MenuChoice *menu_choice_new(GVariant *question, guint64 menu_id, const char *item_id)
{
    MenuChoice *choice = g_new(MenuChoice, 1);
    *choice = (MenuChoice){ g_variant_ref(question), menu_id, g_strdup(item_id) };
    return choice;
}

MenuChoice *menu_choice_copy(const MenuChoice *choice)
{
    return menu_choice_new(choice->question, choice->menu_id, choice->item_id);
}

void menu_choice_free(gpointer pointer)
{
    MenuChoice *choice = pointer;
    g_variant_unref(choice->question);
    g_free(choice->item_id);
    g_free(choice);
}

typedef struct {
    Menus *menus;
    MenuChoice *choice;
    GVariant *options;
    guint attempt; /* at getting the menu again; 0 before the first */
    gint64 began;  /* that attempt */
} Activation;

static void activation_free(gpointer pointer)
{
    Activation *activation = pointer;
    menu_choice_free(activation->choice);
    g_variant_unref(activation->options);
    g_free(activation);
}

static Activation *activation_repeat(const Activation *activation)
{
    Activation *repetition = g_new(Activation, 1);
    *repetition = (Activation){
        activation->menus,
        menu_choice_copy(activation->choice),
        g_variant_ref(activation->options),
        activation->attempt + 1,
        g_get_monotonic_time(),
    };
    return repetition;
}

static void activate(Activation *activation);

static void ask_again(const Activation *activation);

static void on_menu_again(GVariant *reply, const HostError *error, gpointer data)
{
    const Activation *activation = data;
    if (reply == NULL) {
        g_message("Roundel cannot get the menu again: %s", error->message);
        return;
    }
    const MenuAnswer answer = menu_answer_read(reply);
    g_autoptr(GPtrArray) items = answer.items;
    gboolean late = g_get_monotonic_time() - activation->began >= PATIENCE_MICROSECONDS;
    if (items->len == 0 && late && activation->attempt < ATTEMPTS) {
        ask_again(activation);
        return;
    }
    if (menu_items_find_enabled(items, activation->choice->item_id) == NULL) {
        g_message("The menu item “%s” is no longer offered", activation->choice->item_id);
        return;
    }
    Activation *repetition = activation_repeat(activation);
    repetition->choice->menu_id = answer.menu_id;
    activate(repetition);
}

static void ask_again(const Activation *activation)
{
    host_link_call(activation->menus->link, "GetMenu", menu_question_arguments(activation->choice->question),
        MENU_REPLY_TYPE, on_menu_again, activation_repeat(activation), activation_free);
}

static void on_activated(GVariant *reply, const HostError *error, gpointer data)
{
    const Activation *activation = data;
    if (reply != NULL)
        return;
    if (activation->attempt > 0 || !g_str_equal(error->name, STALE_MENU_ERROR)) {
        g_message("The menu item “%s” cannot be activated: %s", activation->choice->item_id, error->message);
        return;
    }
    ask_again(activation);
}

static void activate(Activation *activation)
{
    host_link_call(activation->menus->link, "Activate",
        g_variant_new("(ts@a{sv})", activation->choice->menu_id, activation->choice->item_id, activation->options),
        "(a{sv})", on_activated, activation, activation_free);
}

void menus_activate(Menus *menus, const MenuChoice *choice, gpointer window)
{
    if (menus->link == NULL || !host_link_is_connected(menus->link))
        return;
    Activation *activation = g_new(Activation, 1);
    *activation = (Activation){
        menus,
        menu_choice_copy(choice),
        g_variant_ref_sink(menus->events.activation_options(window)),
        0,
        0,
    };
    activate(activation);
}

/* What menus depend on */

void menus_outdate(Menus *menus)
{
    menu_cache_outdate(menus->cache);
}

static void on_change(gpointer data)
{
    Menus *menus = data;
    menus_outdate(menus);
    report_changed(menus);
}

static void on_gone(gpointer data)
{
    Menus *menus = data;
    clear_questions(menus);
    menus->generation++;
    menus->asking = 0;
    if (menu_cache_clear(menus->cache))
        report_changed(menus);
}

/* The service sends this only to the file manager in which the item was chosen. */
static void on_action_finished(GVariant *parameters, gpointer data)
{
    const Menus *menus = data;
    guint32 outcome = 0;
    const char *text = NULL;
    g_variant_get_child(parameters, 2, "u", &outcome);
    g_autoptr(GVariant) extra = g_variant_get_child_value(parameters, 4);
    if (outcome == OUTCOME_DONE && menus->events.clipboard != NULL && g_variant_lookup(extra, "clipboard", "&s", &text))
        menus->events.clipboard(text);
    on_change(data);
}

Menus *menus_new(HostLink *link, const MenusEvents *events, gpointer data)
{
    static const HostLinkEvents link_events = {
        .connected = on_change,
        .gone = on_gone,
        .folders_changed = on_change,
        .status_changed = on_change,
    };
    Menus *menus = g_rc_box_new0(Menus);
    menus->loop = host_link_loop(link);
    menus->link = link;
    menus->events = *events;
    menus->data = data;
    menus->cache = menu_cache_new();
    g_queue_init(&menus->waiting);
    g_queue_init(&menus->delayed);
    host_link_listen(link, &link_events, menus);
    host_link_on_signal(link, "ActionFinished", ACTION_FINISHED_TYPE, on_action_finished, menus);
    return menus;
}

void menus_end(Menus *menus)
{
    clear_questions(menus);
    menus->link = NULL;
    menus_unref(menus);
}
