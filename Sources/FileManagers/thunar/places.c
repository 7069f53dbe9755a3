#include "places.h"

struct Places {
    HostLink *link;
    char *asked;        /* the directory, observed if it is monitored; NULL for none */
    gboolean monitored; /* and it is in a folder, or holds one */
    guint64 generation; /* of the question; an answer to an earlier one does not count */
};

typedef struct {
    Places *places;
    char *directory;
    guint64 generation;
} Question;

static void question_free(gpointer pointer)
{
    Question *question = pointer;
    g_free(question->directory);
    g_free(question);
}

static void forget(Places *places)
{
    g_clear_pointer(&places->asked, g_free);
    places->monitored = FALSE;
    places->generation++;
}

static void send_end(const Places *places, const char *directory_uri)
{
    host_link_call(
        places->link, "EndObserving", g_variant_new("(sa{sv})", directory_uri, NULL), NULL, NULL, NULL, NULL);
}

static void end(gpointer data)
{
    Places *places = data;
    if (places->asked != NULL && places->monitored)
        send_end(places, places->asked);
    forget(places);
}

/* With the service, or by Reset, everything observed has ended. */
static void on_gone(gpointer data)
{
    forget(data);
}

static void on_reset(GVariant *parameters, gpointer data)
{
    (void)parameters;
    forget(data);
}

static void on_begun(GVariant *reply, const GError *error, gpointer data)
{
    const Question *question = data;
    gboolean monitored = FALSE;
    if (reply != NULL)
        g_variant_get_child(reply, 0, "b", &monitored);
    else
        g_debug("BeginObserving: %s", error->message);
    if (question->generation == question->places->generation)
        question->places->monitored = monitored;
    else if (monitored)
        send_end(question->places, question->directory);
}

static void ask(Places *places, const char *directory_uri)
{
    end(places);
    places->asked = g_strdup(directory_uri);
    Question *question = g_new(Question, 1);
    *question = (Question){ places, g_strdup(directory_uri), places->generation };
    host_link_call(places->link, "BeginObserving", g_variant_new("(sa{sv})", directory_uri, NULL), "(ba{sv})", on_begun,
        question, question_free);
}

gboolean places_hold(Places *places, const char *directory_uri, const char *item_uri)
{
    const Folders *folders = host_link_folders(places->link);
    if (folders_hold(folders, item_uri))
        return TRUE;
    if (folders_may_monitor(folders, directory_uri) || folders_uris(folders)->len == 0
        || !host_link_is_connected(places->link))
        return FALSE;
    if (places->asked == NULL || !g_str_equal(places->asked, directory_uri))
        ask(places, directory_uri);
    return places->monitored;
}

Places *places_new(HostLink *link)
{
    static const HostLinkEvents events = { .gone = on_gone, .folders_changed = end };
    Places *places = g_new0(Places, 1);
    places->link = link;
    host_link_listen(link, &events, places);
    host_link_on_signal(link, "Reset", G_VARIANT_TYPE("(a{sv})"), on_reset, places);
    return places;
}

void places_free(Places *places)
{
    g_free(places->asked);
    g_free(places);
}
