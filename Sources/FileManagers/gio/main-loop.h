#pragma once

#include "host/host-loop.h"

/* GLib's main loop, in the default context. */
extern const HostLoop main_loop;
