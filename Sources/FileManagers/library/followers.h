#pragma once

#include "host/attributes.h"
#include "roundel.h"

/* The items whose attributes the program follows. Its functions are called by followers_tell alone. */

typedef struct Followers Followers;

/* Attributes have come for some of them. */
typedef void (*FollowersArrived)(gpointer data);

/* What is given must outlive them. */
Followers *followers_new(Attributes *attributes, FollowersArrived arrived, gpointer data);
void followers_free(Followers *followers);

RoundelFollower *followers_add(
    Followers *followers, const char *path, const char *uri, RoundelAttributesFunction function, gpointer data);
void followers_remove(Followers *followers, RoundelFollower *follower);

/* Calls the functions of those for which attributes have come. They may add and remove followers. */
void followers_tell(Followers *followers, RoundelHost *host);
