#pragma once

#include "host.h"

namespace roundel
{
/** Qt's event loop, in the main thread. */
extern const HostLoop eventLoop;
} // namespace roundel
