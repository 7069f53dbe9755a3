#include "unanswered.h"

#include "host/menu-question.h"

static void set(UnansweredMenu *menu, GVariant *question, gpointer window)
{
    g_clear_pointer(&menu->question, g_variant_unref);
    if (question != NULL)
        menu->question = g_variant_ref(question);
    g_set_weak_pointer(&menu->window, window);
}

void unanswered_set_items(Unanswered *unanswered, gboolean items_are_selected, GVariant *question, gpointer window)
{
    unanswered->items_are_selected = items_are_selected;
    set(&unanswered->of_items, question, window);
}

void unanswered_set_folder(Unanswered *unanswered, GVariant *question, gpointer window)
{
    set(&unanswered->of_folder, question, window);
}

gboolean unanswered_take(Unanswered *unanswered, GVariant *question, gpointer *window)
{
    UnansweredMenu *open = unanswered->items_are_selected ? &unanswered->of_items : &unanswered->of_folder;
    if (open->question == NULL || !menu_question_equal(open->question, question))
        return FALSE;
    *window = open->window;
    g_clear_pointer(&open->question, g_variant_unref);
    return TRUE;
}
