#include "menus.h"

#include "menu-question.h"
#include "names.h"

/* A user who moves quickly through many items requests more menus than the service can answer; the last ones count.
 */
#define AT_ONCE 4
#define WAITING 8

struct Menus {
    HostLink *link; /* NULL after the end */
    MenusEvents events;
    gpointer data;
    MenuCache *cache;
    guint64 generation; /* changes when the service goes; answers to earlier questions are dropped */
    guint asking;
    GQueue waiting;  /* of questions, the newest last */
    GQueue repeated; /* of Activation: those whose menu is not complete, the newest last */
};

/* Asking */

typedef struct {
    Menus *menus;
    guint64 generation;
    GVariant *question;
} Asking;

static void activation_free(gpointer pointer);

static void clear_questions(Menus *menus)
{
    g_queue_clear_full(&menus->waiting, (GDestroyNotify)g_variant_unref);
    g_queue_clear_full(&menus->repeated, activation_free);
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

static void ask(Menus *menus, GVariant *question)
{
    Asking *asking = g_new(Asking, 1);
    *asking = (Asking){ menus_ref(menus), menus->generation, g_variant_ref(question) };
    menus->asking++;
    host_link_call(
        menus->link, "GetMenu", menu_question_arguments(question), MENU_REPLY_TYPE, on_menu, asking, asking_free);
}

/* The call that is ending is still counted. */
static void ask_next(Menus *menus)
{
    g_autoptr(GVariant) question = menus->asking > AT_ONCE ? NULL : g_queue_pop_head(&menus->waiting);
    if (question != NULL)
        ask(menus, question);
}

static void report_changed(const Menus *menus)
{
    if (menus->events.changed != NULL)
        menus->events.changed(menus->data);
}

static void report_answered(const Menus *menus, GVariant *question, const MenuAnswer *answer)
{
    if (menus->events.answered != NULL)
        menus->events.answered(question, answer, menus->data);
}

static void keep(Menus *menus, GVariant *question, GVariant *reply)
{
    gboolean changed = menu_cache_put(menus->cache, question, reply, g_get_monotonic_time());
    const MenuAnswer *answer = menu_cache_find(menus->cache, question);
    if (answer != NULL)
        report_answered(menus, question, answer);
    if (changed)
        report_changed(menus);
}

static void on_menu(GVariant *reply, const HostError *error, gpointer data)
{
    const Asking *asking = data;
    Menus *menus = asking->menus;
    ask_next(menus);
    if (reply == NULL) {
        g_debug("GetMenu: %s", error->message);
        menu_cache_fail(menus->cache, asking->question);
    } else {
        keep(menus, asking->question, reply);
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

static void ask_if_needed(Menus *menus, GVariant *question)
{
    if (!menu_cache_begin_asking(menus->cache, question, g_get_monotonic_time()))
        return;
    if (menus->asking < AT_ONCE)
        ask(menus, question);
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
    gboolean is_repeated; /* with a menu that was asked for anew */
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
        TRUE,
    };
    return repetition;
}

static void activate(Activation *activation);

/* At most so many wait for a provider to complete their menu, the last ones. */
#define REPEATED 4

/* Activates the item in the menu that was asked for anew, once its provider has answered. */
static void repeat(const Activation *activation, const MenuAnswer *answer)
{
    Menus *menus = activation->menus;
    Activation *repetition = activation_repeat(activation);
    repetition->choice->menu_id = answer->menu_id;
    if (menu_items_find_enabled(answer->items, repetition->choice->item_id) != NULL) {
        activate(repetition);
    } else if (answer->is_incomplete) {
        g_queue_push_tail(&menus->repeated, repetition);
        if (menus->repeated.length > REPEATED)
            activation_free(g_queue_pop_head(&menus->repeated));
    } else {
        g_message("The menu item “%s” is no longer offered", repetition->choice->item_id);
        activation_free(repetition);
    }
}

static void on_menu_again(GVariant *reply, const HostError *error, gpointer data)
{
    const Activation *activation = data;
    if (reply == NULL) {
        g_message("Roundel cannot get the menu again: %s", error->message);
        return;
    }
    const MenuAnswer answer = menu_answer_read(reply);
    g_autoptr(GPtrArray) items = answer.items;
    repeat(activation, &answer);
}

static void ask_again(const Activation *activation)
{
    host_link_call(activation->menus->link, "GetMenu", menu_question_arguments(activation->choice->question),
        MENU_REPLY_TYPE, on_menu_again, activation_repeat(activation), activation_free);
}

/* A late provider has completed a menu of this program. */
static void on_menu_changed(GVariant *parameters, gpointer data)
{
    Menus *menus = data;
    const MenuAnswer answer = menu_answer_read(parameters);
    g_autoptr(GPtrArray) items = answer.items;
    GVariant *question = menu_cache_awaited(menus->cache, answer.menu_id);
    if (question != NULL) {
        g_autoptr(GVariant) kept = g_variant_ref(question);
        keep(menus, kept, parameters);
    }
    if (menus->events.completed != NULL)
        menus->events.completed(&answer, menus->data);
    for (guint i = menus->repeated.length; i > 0; i--) {
        Activation *activation = g_queue_pop_head(&menus->repeated);
        if (activation->choice->menu_id == answer.menu_id) {
            repeat(activation, &answer);
            activation_free(activation);
        } else {
            g_queue_push_tail(&menus->repeated, activation);
        }
    }
}

static void on_activated(GVariant *reply, const HostError *error, gpointer data)
{
    const Activation *activation = data;
    if (reply != NULL)
        return;
    if (activation->is_repeated || !g_str_equal(error->name, STALE_MENU_ERROR)) {
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
        FALSE,
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
    menus->link = link;
    menus->events = *events;
    menus->data = data;
    menus->cache = menu_cache_new();
    g_queue_init(&menus->waiting);
    g_queue_init(&menus->repeated);
    host_link_listen(link, &link_events, menus);
    host_link_on_signal(link, "MenuChanged", MENU_REPLY_TYPE, on_menu_changed, menus);
    host_link_on_signal(link, "ActionFinished", ACTION_FINISHED_TYPE, on_action_finished, menus);
    return menus;
}

void menus_end(Menus *menus)
{
    clear_questions(menus);
    menus->link = NULL;
    menus_unref(menus);
}
