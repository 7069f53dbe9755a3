#pragma once

#include <gio/gio.h>

/*
 * What the desktop needs to know about an action that the user started: when, and from which window. With it, a program
 * that the action starts may take the focus, and its dialog is placed above that window.
 */

/* Options for Activate, a floating value of type a{sv}: `timestamp` and `parent-window`, each left out if it is 0. Both
 * are as X11 has them. */
GVariant *activation_options_new(guint32 time, gulong window);

/* The same on Wayland: `activation-token`, left out if the compositor gives none. Takes the display's launch context.
 * It waits for the compositor's answer, as the toolkit does before it starts a program. */
GVariant *activation_options_new_for_wayland(GAppLaunchContext *context);
