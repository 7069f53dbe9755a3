/* Menus in the plugin for Nautilus, Nemo and Caja, as far as they know no file manager. */

#include "gtk-plugin-menu-tests.h"

#include "host/menu-cache.h"
#include "host/menu-item.h"
#include "host/menu-question.h"
#include "unanswered.h"

static GPtrArray *read_menu(const char *text)
{
    g_autoptr(GVariant) rows = g_variant_ref_sink(g_variant_new_parsed(text));
    return menu_items_read(rows);
}

static const MenuItem *item_at(const GPtrArray *items, guint index)
{
    g_assert_cmpuint(index, <, items->len);
    return g_ptr_array_index(items, index);
}

static void a_menu_is_read_with_its_defaults(void)
{
    g_autoptr(GPtrArray) items = read_menu("[{'id': <'p/a'>, 'label': <'A'>},"
                                           " {'id': <'p/b'>, 'label': <'B'>, 'icon': <'folder'>, 'enabled': <false>,"
                                           "  'checked': <true>, 'rules': <{'min': <@u 1>}>, 'later': <7>},"
                                           " {'id': <'p/c'>, 'checked': <false>,"
                                           "  'children': <[{'id': <'p/d'>, 'label': <'D'>}]>}]");
    g_assert_cmpuint(items->len, ==, 3);
    const MenuItem *plain = item_at(items, 0);
    g_assert_cmpstr(plain->id, ==, "p/a");
    g_assert_cmpstr(plain->icon, ==, "");
    g_assert_true(plain->enabled);
    g_assert_cmpint(plain->check, ==, MENU_UNCHECKABLE);
    g_assert_cmpuint(plain->children->len, ==, 0);
    const MenuItem *full = item_at(items, 1);
    g_assert_cmpstr(full->icon, ==, "folder");
    g_assert_false(full->enabled);
    g_assert_cmpint(full->check, ==, MENU_CHECKED);
    g_assert_cmpint(item_at(items, 2)->check, ==, MENU_UNCHECKED);
    g_assert_cmpstr(item_at(item_at(items, 2)->children, 0)->label, ==, "D");
}

static void what_has_another_type_is_absent(void)
{
    g_autoptr(GPtrArray) items = read_menu(
        "[{'id': <7>, 'label': <true>, 'enabled': <'no'>, 'checked': <1>, 'type': <2>, 'children': <['x']>}]");
    const MenuItem *item = item_at(items, 0);
    g_assert_cmpstr(item->id, ==, "");
    g_assert_cmpstr(item->label, ==, "");
    g_assert_true(item->enabled);
    g_assert_cmpint(item->check, ==, MENU_UNCHECKABLE);
    g_assert_false(item->is_separator);
    g_assert_cmpuint(item->children->len, ==, 0);
}

#define SEPARATOR "{'type': <'separator'>}"

static void only_separators_between_items_stay(void)
{
    g_autoptr(GPtrArray) items = read_menu(
        "[" SEPARATOR ", " SEPARATOR ", {'id': <'a'>}, " SEPARATOR ", " SEPARATOR ", {'id': <'b'>}, " SEPARATOR "]");
    g_assert_cmpuint(items->len, ==, 3);
    g_assert_true(item_at(items, 1)->is_separator);
    g_assert_cmpstr(item_at(items, 2)->id, ==, "b");
    g_autoptr(GPtrArray) none = read_menu("[" SEPARATOR "]");
    g_assert_cmpuint(none->len, ==, 0);
}

static void menus_are_not_read_without_end(void)
{
    GString *text = g_string_new(NULL);
    for (int depth = 0; depth < 40; depth++)
        g_string_append(text, "[{'id': <'x'>, 'children': <");
    g_string_append(text, "@aa{sv} []");
    for (int depth = 0; depth < 40; depth++)
        g_string_append(text, ">}]");
    g_autoptr(GPtrArray) items = read_menu(text->str);
    g_string_free(text, TRUE);
    guint depth = 0;
    for (const GPtrArray *level = items; level->len > 0; level = item_at(level, 0)->children)
        depth++;
    g_assert_cmpuint(depth, >=, 3);
    g_assert_cmpuint(depth, <, 40);
}

static void menus_are_compared_by_all_that_is_seen(void)
{
    static const char *const different[] = {
        "[{'id': <'a'>, 'label': <'A'>, 'children': <[{'id': <'b'>}]>}]",
        "[{'id': <'b'>, 'label': <'A'>}]",
        "[{'id': <'a'>, 'label': <'B'>}]",
        "[{'id': <'a'>, 'label': <'A'>, 'enabled': <false>}]",
        "[{'id': <'a'>, 'label': <'A'>, 'checked': <false>}]",
        "[{'id': <'a'>, 'label': <'A'>, 'icon': <'i'>}]",
        "[{'id': <'a'>, 'label': <'A'>}, {'id': <'b'>}]",
        "@aa{sv} []",
    };
    g_autoptr(GPtrArray) items = read_menu("[{'id': <'a'>, 'label': <'A'>}]");
    g_autoptr(GPtrArray) same = read_menu("[{'label': <'A'>, 'enabled': <true>, 'id': <'a'>}]");
    g_assert_true(menu_items_equal(items, same));
    for (gsize i = 0; i < G_N_ELEMENTS(different); i++) {
        g_autoptr(GPtrArray) other = read_menu(different[i]);
        g_assert_false(menu_items_equal(items, other));
    }
}

static void only_what_can_act_is_found(void)
{
    g_autoptr(GPtrArray) items = read_menu("[{'id': <'off'>, 'enabled': <false>},"
                                           " {'id': <'top'>, 'children': <[{'id': <'deep'>}]>},"
                                           " {'id': <'shut'>, 'enabled': <false>, 'children': <[{'id': <'in'>}]>}]");
    g_assert_nonnull(menu_items_find_enabled(items, "deep"));
    g_assert_null(menu_items_find_enabled(items, "top"));
    g_assert_null(menu_items_find_enabled(items, "off"));
    g_assert_null(menu_items_find_enabled(items, "in"));
    g_assert_null(menu_items_find_enabled(items, "none"));
}

static void labels_and_names_suit_the_file_managers(void)
{
    g_autoptr(GPtrArray) items = read_menu("[{'id': <'p/a_b'>, 'label': <'a_b__c'>, 'checked': <true>}]");
    g_autofree char *mnemonic = menu_item_mnemonic_label(item_at(items, 0));
    g_assert_cmpstr(mnemonic, ==, "a__b____c");
    g_autofree char *marked = menu_item_marked_label(item_at(items, 0));
    g_assert_cmpstr(marked, ==, "\xe2\x9c\x93 a__b____c");
    g_autofree char *name = menu_item_name(MENU_OF_ITEMS, "p/a_b");
    g_assert_cmpstr(name, ==, "Roundel-0-p_2Fa_5Fb");
    g_autofree char *of_container = menu_item_name(MENU_OF_CONTAINER, "p/a_b");
    g_assert_cmpstr(name, !=, of_container);
}

static GVariant *ask_about(const char *uri)
{
    g_autoptr(GPtrArray) selection = g_ptr_array_new();
    g_ptr_array_add(selection, (gpointer)uri);
    return menu_question_new(MENU_OF_ITEMS, "file:///s", selection);
}

static gboolean answer_with(MenuCache *cache, GVariant *question, guint64 id, const char *label, gint64 now)
{
    g_autofree char *text = g_strdup_printf(
        "(@t %" G_GUINT64_FORMAT ", [{'id': <'a'>, 'label': <'%s'>}], @a{sv} {})", id, label);
    g_autoptr(GVariant) reply = g_variant_ref_sink(g_variant_new_parsed(text));
    return menu_cache_put(cache, question, reply, now);
}

static void a_menu_is_asked_for_once_and_shown_until_it_changes(void)
{
    MenuCache *cache = menu_cache_new();
    g_autoptr(GVariant) question = ask_about("file:///s/a");
    g_assert_null(menu_cache_find(cache, question));
    g_assert_true(menu_cache_begin_asking(cache, question, 0));
    g_assert_false(menu_cache_begin_asking(cache, question, 1));
    g_assert_true(answer_with(cache, question, 1, "A", 2));
    g_autoptr(GVariant) same = ask_about("file:///s/a");
    g_assert_cmpuint(menu_cache_find(cache, same)->menu_id, ==, 1);
    g_autoptr(GVariant) other = ask_about("file:///s/b");
    g_assert_null(menu_cache_find(cache, other));

    g_assert_false(menu_cache_begin_asking(cache, question, 3));
    gint64 later = 2 + MENU_FRESH_MICROSECONDS;
    g_assert_true(menu_cache_begin_asking(cache, question, later));
    g_assert_nonnull(menu_cache_find(cache, question));
    g_assert_false(answer_with(cache, question, 2, "A", later));
    g_assert_cmpuint(menu_cache_find(cache, question)->menu_id, ==, 2);
    menu_cache_free(cache);
}

static void what_menus_depend_on_outdates_them(void)
{
    MenuCache *cache = menu_cache_new();
    g_autoptr(GVariant) question = ask_about("file:///s/a");
    menu_cache_begin_asking(cache, question, 0);
    answer_with(cache, question, 1, "A", 0);
    menu_cache_outdate(cache);
    g_assert_true(menu_cache_begin_asking(cache, question, 1));
    /* Outdated once more while it is asked for: the same answer does not settle it. */
    menu_cache_outdate(cache);
    g_assert_true(answer_with(cache, question, 2, "A", 2));
    g_assert_true(menu_cache_begin_asking(cache, question, 3));
    g_assert_true(answer_with(cache, question, 3, "B", 4));
    menu_cache_outdate_one(cache, question);
    g_assert_true(menu_cache_begin_asking(cache, question, 5));
    menu_cache_fail(cache, question);
    g_assert_true(menu_cache_clear(cache));
    g_assert_false(menu_cache_clear(cache));
    g_assert_null(menu_cache_find(cache, question));
    g_assert_false(answer_with(cache, question, 4, "C", 6));
    menu_cache_free(cache);
}

static void few_menus_are_kept_the_last_asked_for(void)
{
    MenuCache *cache = menu_cache_new();
    g_autoptr(GVariant) first = ask_about("file:///s/first");
    menu_cache_begin_asking(cache, first, 0);
    answer_with(cache, first, 1, "A", 0);
    for (guint i = 0; i < 1000; i++) {
        g_autofree char *uri = g_strdup_printf("file:///s/%u", i);
        g_autoptr(GVariant) question = ask_about(uri);
        menu_cache_begin_asking(cache, question, 0);
        answer_with(cache, question, i, "A", 0);
        if (i < 500)
            menu_cache_begin_asking(cache, first, 0);
        if (i == 500)
            g_assert_nonnull(menu_cache_find(cache, first));
    }
    g_assert_null(menu_cache_find(cache, first));
    menu_cache_free(cache);
}

/* Both menus are asked for together, and one of them is open. */
static void an_answer_goes_into_the_menu_that_it_is_for(void)
{
    Unanswered unanswered = { 0 };
    g_autoptr(GObject) window = g_object_new(G_TYPE_OBJECT, NULL);
    g_autoptr(GVariant) of_items = ask_about("file:///s/a");
    g_autoptr(GVariant) of_folder = menu_question_new(MENU_OF_CONTAINER, "file:///s", NULL);
    gpointer found = NULL;
    g_assert_false(unanswered_take(&unanswered, of_items, &found));
    unanswered_set_items(&unanswered, TRUE, of_items, window);
    unanswered_set_folder(&unanswered, of_folder, window);
    g_assert_false(unanswered_take(&unanswered, of_folder, &found));
    g_assert_true(unanswered_take(&unanswered, of_items, &found));
    g_assert_true(found == window);
    g_assert_false(unanswered_take(&unanswered, of_items, &found));
    g_assert_false(unanswered_take(&unanswered, of_folder, &found));

    unanswered_set_items(&unanswered, TRUE, of_items, window);
    unanswered_set_items(&unanswered, FALSE, NULL, window);
    g_assert_false(unanswered_take(&unanswered, of_items, &found));
    g_assert_true(unanswered_take(&unanswered, of_folder, &found));
}

/* Another item is selected meanwhile, whose menu is known already. */
static void an_answer_for_another_item_goes_nowhere(void)
{
    Unanswered unanswered = { 0 };
    g_autoptr(GObject) window = g_object_new(G_TYPE_OBJECT, NULL);
    g_autoptr(GVariant) first = ask_about("file:///s/a");
    gpointer found = NULL;
    unanswered_set_items(&unanswered, TRUE, first, window);
    unanswered_set_items(&unanswered, TRUE, NULL, window);
    g_assert_false(unanswered_take(&unanswered, first, &found));
    unanswered_set_items(&unanswered, TRUE, first, window);
    g_clear_object(&window);
    g_assert_true(unanswered_take(&unanswered, first, &found));
    g_assert_null(found);
}

void add_menu_tests(void)
{
    g_test_add_func("/menu/read", a_menu_is_read_with_its_defaults);
    g_test_add_func("/menu/wrong-types", what_has_another_type_is_absent);
    g_test_add_func("/menu/separators", only_separators_between_items_stay);
    g_test_add_func("/menu/depth", menus_are_not_read_without_end);
    g_test_add_func("/menu/equal", menus_are_compared_by_all_that_is_seen);
    g_test_add_func("/menu/find", only_what_can_act_is_found);
    g_test_add_func("/menu/labels", labels_and_names_suit_the_file_managers);
    g_test_add_func("/menu/cache", a_menu_is_asked_for_once_and_shown_until_it_changes);
    g_test_add_func("/menu/outdated", what_menus_depend_on_outdates_them);
    g_test_add_func("/menu/capacity", few_menus_are_kept_the_last_asked_for);
    g_test_add_func("/menu/open", an_answer_goes_into_the_menu_that_it_is_for);
    g_test_add_func("/menu/other-item", an_answer_for_another_item_goes_nowhere);
}
