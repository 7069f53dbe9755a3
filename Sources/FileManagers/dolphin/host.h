#pragma once

/* The host library, which is C. GLib's headers may not be included as C; those of the library include nothing else. */

#include <glib.h>

extern "C" {
#include "host/attribute-rows.h"
#include "host/attributes.h"
#include "host/host-link.h"
#include "host/item-uri.h"
#include "host/menu-item.h"
#include "host/menu-question.h"
#include "host/names.h"
#include "host/observer.h"
}
