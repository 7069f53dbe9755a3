#pragma once

#include "host-link.h"

/* The attributes of single items, for detailed views: requested immediately, and again whenever the item's badge
 * changes or the service comes back. */

typedef struct Attributes Attributes;
typedef struct AttributeFollower AttributeFollower;

Attributes *attributes_new(HostLink *link);
void attributes_free(Attributes *attributes);

/* Called with a value of type a{sv}, never within the call that begins to follow. */
typedef void (*AttributesArrived)(GVariant *values, gpointer data);

/* The URI is canonical. Ends with attributes_unfollow, after which the handler is not called any more. */
AttributeFollower *attributes_follow(Attributes *attributes, const char *uri, AttributesArrived arrived, gpointer data);
void attributes_unfollow(AttributeFollower *follower);

/* The badge of the item changed. */
void attributes_item_changed(Attributes *attributes, const char *directory_uri, const char *name);
