#pragma once

#include "host/item-methods.h"

/* The file manager's objects for items, FmFileInfo. An entry does not keep them alive. */
extern const ItemMethods item_objects;
