#include "attributes.h"

#include "item-uri.h"

#include <string.h>

struct Attributes {
    HostLink *link;
    GPtrArray *followers;
};

struct AttributeFollower {
    Attributes *attributes; /* NULL when it no longer follows */
    char *uri;
    AttributesArrived arrived;
    gpointer data;
    gboolean asking;
    gboolean changed; /* since it was last asked for */
};

static void follower_clear(gpointer follower)
{
    g_free(((AttributeFollower *)follower)->uri);
}

static void follower_release(gpointer follower)
{
    g_rc_box_release_full(follower, follower_clear);
}

static void ask(AttributeFollower *follower);

static void on_attributes(GVariant *reply, const HostError *error, gpointer data)
{
    AttributeFollower *follower = data;
    if (follower->attributes == NULL)
        return;
    follower->asking = FALSE;
    if (reply == NULL) {
        g_debug("GetAttributes %s: %s", follower->uri, error->message);
    } else {
        g_autoptr(GVariant) values = g_variant_get_child_value(reply, 0);
        follower->arrived(values, follower->data);
    }
    if (follower->changed)
        ask(follower);
}

static void ask(AttributeFollower *follower)
{
    HostLink *link = follower->attributes->link;
    follower->changed = TRUE;
    if (follower->asking || !host_link_is_connected(link))
        return;
    follower->asking = TRUE;
    follower->changed = FALSE;
    host_link_call(link, "GetAttributes", g_variant_new("(sasa{sv})", follower->uri, NULL, NULL), "(a{sv}a{sv})",
        on_attributes, g_rc_box_acquire(follower), follower_release);
}

AttributeFollower *attributes_follow(Attributes *attributes, const char *uri, AttributesArrived arrived, gpointer data)
{
    AttributeFollower *follower = g_rc_box_new(AttributeFollower);
    *follower = (AttributeFollower){ attributes, g_strdup(uri), arrived, data, FALSE, FALSE };
    g_ptr_array_add(attributes->followers, follower);
    ask(follower);
    return follower;
}

void attributes_unfollow(AttributeFollower *follower)
{
    if (follower->attributes != NULL)
        g_ptr_array_remove_fast(follower->attributes->followers, follower);
    follower->attributes = NULL;
    follower_release(follower);
}

static gboolean is_item(const char *uri, const char *directory_uri, const char *name)
{
    g_autofree char *parent = item_uri_parent(uri);
    return g_strcmp0(parent, directory_uri) == 0 && strcmp(item_uri_name(uri), name) == 0;
}

void attributes_item_changed(Attributes *attributes, const char *directory_uri, const char *name)
{
    for (guint i = 0; i < attributes->followers->len; i++) {
        AttributeFollower *follower = g_ptr_array_index(attributes->followers, i);
        if (is_item(follower->uri, directory_uri, name))
            ask(follower);
    }
}

static void on_connected(gpointer data)
{
    Attributes *attributes = data;
    for (guint i = 0; i < attributes->followers->len; i++)
        ask(g_ptr_array_index(attributes->followers, i));
}

/* The service will not answer its open requests. */
static void on_gone(gpointer data)
{
    Attributes *attributes = data;
    g_autoptr(GVariant) nothing = g_variant_ref_sink(g_variant_new("a{sv}", NULL));
    for (guint i = 0; i < attributes->followers->len; i++) {
        AttributeFollower *follower = g_ptr_array_index(attributes->followers, i);
        follower->asking = FALSE;
        follower->arrived(nothing, follower->data);
    }
}

Attributes *attributes_new(HostLink *link)
{
    Attributes *attributes = g_new(Attributes, 1);
    *attributes = (Attributes){ link, g_ptr_array_new() };
    static const HostLinkEvents events = { .connected = on_connected, .gone = on_gone };
    host_link_listen(link, &events, attributes);
    return attributes;
}

void attributes_free(Attributes *attributes)
{
    for (guint i = 0; i < attributes->followers->len; i++)
        ((AttributeFollower *)g_ptr_array_index(attributes->followers, i))->attributes = NULL;
    g_ptr_array_unref(attributes->followers);
    g_free(attributes);
}
