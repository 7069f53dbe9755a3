#include "followers.h"

#include "host/attribute-rows.h"

struct Followers {
    Attributes *attributes;
    FollowersArrived arrived;
    gpointer data;
    GPtrArray *all; /* of RoundelFollower */
};

struct RoundelFollower {
    const Followers *followers;
    AttributeFollower *follower;
    char *path;
    RoundelAttributesFunction function;
    gpointer data;
    GVariant *arrived; /* what is to be told, or NULL */
};

static void follower_free(gpointer pointer)
{
    RoundelFollower *follower = pointer;
    attributes_unfollow(follower->follower);
    g_clear_pointer(&follower->arrived, g_variant_unref);
    g_free(follower->path);
    g_free(follower);
}

Followers *followers_new(Attributes *attributes, FollowersArrived arrived, gpointer data)
{
    Followers *followers = g_new(Followers, 1);
    *followers = (Followers){ attributes, arrived, data, g_ptr_array_new_with_free_func(follower_free) };
    return followers;
}

void followers_free(Followers *followers)
{
    g_ptr_array_unref(followers->all);
    g_free(followers);
}

static void on_arrived(GVariant *values, gpointer data)
{
    RoundelFollower *follower = data;
    g_clear_pointer(&follower->arrived, g_variant_unref);
    follower->arrived = g_variant_ref(values);
    follower->followers->arrived(follower->followers->data);
}

RoundelFollower *followers_add(
    Followers *followers, const char *path, const char *uri, RoundelAttributesFunction function, gpointer data)
{
    RoundelFollower *follower = g_new(RoundelFollower, 1);
    *follower = (RoundelFollower){ followers, NULL, g_strdup(path), function, data, NULL };
    g_ptr_array_add(followers->all, follower);
    follower->follower = attributes_follow(followers->attributes, uri, on_arrived, follower);
    return follower;
}

void followers_remove(Followers *followers, RoundelFollower *follower)
{
    g_ptr_array_remove(followers->all, follower);
}

/* The function may remove the follower. */
static void tell(RoundelHost *host, RoundelFollower *follower)
{
    g_autoptr(GVariant) values = g_steal_pointer(&follower->arrived);
    g_autoptr(GTimeZone) zone = g_time_zone_new_local();
    g_autoptr(GArray) rows = attribute_rows_read(values, zone);
    g_autoptr(GPtrArray) attributes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = g_strdup(follower->path);
    for (guint i = 0; i < rows->len; i++) {
        const AttributeRow *row = &g_array_index(rows, AttributeRow, i);
        RoundelAttribute *attribute = g_new(RoundelAttribute, 1);
        *attribute = (RoundelAttribute){ row->name, row->value };
        g_ptr_array_add(attributes, attribute);
    }
    g_ptr_array_add(attributes, NULL);
    follower->function(host, path, (const RoundelAttribute *const *)attributes->pdata, follower->data);
}

static RoundelFollower *next(const Followers *followers)
{
    for (guint i = 0; i < followers->all->len; i++) {
        RoundelFollower *follower = g_ptr_array_index(followers->all, i);
        if (follower->arrived != NULL)
            return follower;
    }
    return NULL;
}

void followers_tell(Followers *followers, RoundelHost *host)
{
    RoundelFollower *follower;
    while ((follower = next(followers)) != NULL)
        tell(host, follower);
}
