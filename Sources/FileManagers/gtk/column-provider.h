#pragma once

/* The attribute of an item that the column shows. */
#define STATE_ATTRIBUTE "roundel_state"
