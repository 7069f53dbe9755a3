#pragma once

#include "places.h"
#include "shared/attributes.h"
#include "shared/host-link.h"
#include "shared/menus.h"

/* Everything that the plugin keeps in this process. It begins with the first question of Thunar. */

typedef struct {
    HostLink *link;
    Places *places;
    Menus *menus;
    Attributes *attributes;
} Session;

Session *session_get(void);
void session_end(void);
