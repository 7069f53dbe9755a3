#pragma once

#include <glib.h>

/*
 * What the desktop wants to know of an action that a person started: when, and from which window. With it a program
 * that the action starts may take the focus, and a dialog of it stands over that window.
 */

/* Options for Activate, a floating a{sv}: `timestamp` and `parent-window` as far as they are to be had. The window is
 * the one that the menu belongs to, or NULL. */
GVariant *activation_context_options(gpointer window);
