#pragma once

#include "host/attributes.h"
#include "host/host-link.h"
#include "host/menus.h"
#include "places.h"

/* Everything that the plugin keeps in this process. It begins with the first question of Thunar. */

typedef struct {
    HostLink *link;
    Places *places;
    Menus *menus;
    Attributes *attributes;
} Session;

Session *session_get(void);
void session_end(void);
