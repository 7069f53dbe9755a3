/*
 * libroundel: sync badges, menus and attributes for whatever shows files, from any sync engine.
 *
 * Copyright: the authors of Roundel. SPDX-License-Identifier: Apache-2.0
 */
#ifndef ROUNDEL_H
#define ROUNDEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROUNDEL_EXPORT __attribute__((visibility("default")))

/**
 * SECTION:roundel
 *
 * A host is a program that shows files to a person: a file manager, a file dialog. It says which directories it shows,
 * and is told of the badge of each item in them for as long as it does. The library keeps and decides the rest: it
 * observes again when the badge service comes back, asks in batches, and keeps what is known.
 *
 * Main loop: no function waits, for the badge service, a disk or anybody. roundel_host_get_fd() gives one descriptor;
 * when it is readable, the program calls roundel_host_dispatch(), which calls the program's functions. They are called
 * from there alone, and may call everything but roundel_host_free() and roundel_host_dispatch() of their host.
 *
 * Threads: a host and what belongs to it are used by one thread at a time. Threads may have a host each.
 *
 * Paths are absolute, and of any bytes but 0, as the kernel has them. Dot segments are refused; empty ones fall away.
 * Texts are UTF-8, those for the person in the language that setlocale(3) chose for the program.
 *
 * Ownership: what a function returns as const belongs to the library and is valid until the next call of any function
 * for the same host; what a function of the program is given, until that returns. The program copies what it keeps.
 * What a function returns otherwise belongs to the program and has a function that frees it.
 *
 * Errors: a function that can fail says so by its value, with errno. EINVAL is what no argument may be: a path that is
 * not absolute, a text that is not UTF-8. When there is no badge service, or it goes, nothing fails: there are no
 * badges until it comes. Where there is no memory the process is aborted.
 *
 * Later versions: structures are made by the library alone and may grow at their end; enumerations may get further
 * values. Unknown ones are passed over.
 */

/**
 * RoundelHost:
 *
 * A connection to the badge service.
 */
typedef struct RoundelHost RoundelHost;

/**
 * RoundelHostFlags:
 * @ROUNDEL_HOST_BY_NAME: Badges are asked for by name, with roundel_host_get_badge(), for a program that knows which
 *   items are visible. Without, the badges of whole directories are asked for, as soon as they are shown, and
 *   roundel_host_get_badge() says what is known of one item.
 * @ROUNDEL_HOST_WITHOUT_PROGRESS: The program shows no progress, and is not told where nothing else changed.
 *
 * How a host asks, for roundel_host_new().
 */
typedef enum {
    ROUNDEL_HOST_BY_NAME = 1,
    ROUNDEL_HOST_WITHOUT_PROGRESS = 2,
} RoundelHostFlags;

/**
 * roundel_host_new:
 * @flags: What applies of #RoundelHostFlags, or 0.
 *
 * Connects to the session bus and has the badge service started where it is installed. The bus is the one of
 * DBUS_SESSION_BUS_ADDRESS, otherwise $XDG_RUNTIME_DIR/bus; it is reached by a local socket or not at all.
 *
 * Returns: The host, to be freed with roundel_host_free(). %NULL with errno: ENOTCONN where there is no session bus,
 *   EMFILE, ENFILE or ENOMEM where the descriptors cannot be had.
 */
ROUNDEL_EXPORT RoundelHost *roundel_host_new(unsigned int flags);

/**
 * roundel_host_free:
 * @host: A host, or %NULL.
 *
 * Leaves the bus. Everything observed ends; functions of the program are not called any more. Followers belong to the
 * host and go with it; menus stay until they are freed.
 */
ROUNDEL_EXPORT void roundel_host_free(RoundelHost *host);

/**
 * roundel_host_get_fd:
 * @host: A host.
 *
 * Returns: A descriptor for poll(2) and its like, always the same. When it is readable, roundel_host_dispatch() is to
 *   be called. It belongs to the host, and nothing else may be done with it.
 */
ROUNDEL_EXPORT int roundel_host_get_fd(const RoundelHost *host);

/**
 * roundel_host_dispatch:
 * @host: A host.
 *
 * Does what there is to do, and calls the functions of the program. It does not wait, and returns after some ten
 * milliseconds at the latest, besides what the program's functions take; what is left keeps the descriptor readable.
 *
 * Returns: 0. -1 with errno ECONNRESET when the session bus is gone, for good: the host is to be freed. Before that all
 * badges were withdrawn.
 */
ROUNDEL_EXPORT int roundel_host_dispatch(RoundelHost *host);

/* What there is */

/**
 * RoundelChange:
 * @ROUNDEL_CHANGE_SERVICE: The badge service came or went: roundel_host_is_connected().
 * @ROUNDEL_CHANGE_FOLDERS: roundel_host_get_folders(), or what roundel_host_holds() says.
 * @ROUNDEL_CHANGE_MENUS: Menus: those on the screen or kept are to be asked for again.
 * @ROUNDEL_CHANGE_ICONS: roundel_host_get_icon_path().
 * @ROUNDEL_CHANGE_TOOLBAR: roundel_host_get_toolbar_item().
 *
 * What may have changed, for #RoundelChangeFunction. When the service comes or goes, all of it is told; while the first
 * engines register, parts of it follow. The program looks and compares: the same values may be told again.
 */
typedef enum {
    ROUNDEL_CHANGE_SERVICE = 1,
    ROUNDEL_CHANGE_FOLDERS = 2,
    ROUNDEL_CHANGE_MENUS = 4,
    ROUNDEL_CHANGE_ICONS = 8,
    ROUNDEL_CHANGE_TOOLBAR = 16,
} RoundelChange;

/**
 * RoundelChangeFunction:
 * @host: The host.
 * @changes: What has changed, of #RoundelChange.
 * @data: What was given with the function.
 */
typedef void (*RoundelChangeFunction)(RoundelHost *host, unsigned int changes, void *data);

/**
 * roundel_host_on_change:
 * @host: A host.
 * @function: The function to call when something has changed, or %NULL.
 * @data: For the function.
 *
 * There is one such function; each call replaces it.
 */
ROUNDEL_EXPORT void roundel_host_on_change(RoundelHost *host, RoundelChangeFunction function, void *data);

/**
 * roundel_host_is_connected:
 * @host: A host.
 *
 * Returns: Whether there is a badge service that has said what there is. All else works without one, and finds nothing.
 */
ROUNDEL_EXPORT bool roundel_host_is_connected(const RoundelHost *host);

/**
 * roundel_host_get_folders:
 * @host: A host.
 *
 * Returns: The paths of all synced folders, in no order, ending in %NULL.
 */
ROUNDEL_EXPORT const char *const *roundel_host_get_folders(RoundelHost *host);

/**
 * roundel_host_holds:
 * @host: A host.
 * @path: An item.
 *
 * Returns: Whether the item is a synced folder or in one, so far as that is known: by its path, or because a directory
 * that is shown leads into one by a symbolic link or a mount. False with errno EINVAL for a path that is none. An item
 * that is in one and has no badge may get one: the folders of the last session are known before their engines run.
 */
ROUNDEL_EXPORT bool roundel_host_holds(const RoundelHost *host, const char *path);

/**
 * roundel_host_get_icon_path:
 * @host: A host.
 *
 * Returns: A directory to be added to the search path of the icon theme, or "" where icons are found without.
 */
ROUNDEL_EXPORT const char *roundel_host_get_icon_path(const RoundelHost *host);

/**
 * RoundelToolbarItem:
 * @name: A name for the button.
 * @icon: The name of its icon.
 * @tooltip: A text for it.
 */
typedef struct {
    const char *name;
    const char *icon;
    const char *tooltip;
} RoundelToolbarItem;

/**
 * roundel_host_get_toolbar_item:
 * @host: A host.
 *
 * Returns: The toolbar button, whose menu is of the kind %ROUNDEL_MENU_OF_TOOLBAR.
 */
ROUNDEL_EXPORT const RoundelToolbarItem *roundel_host_get_toolbar_item(RoundelHost *host);

/* Badges */

/**
 * RoundelItemFlags:
 * @ROUNDEL_ITEM_PINNED: Its contents are always kept on this computer. The icon is emblem-roundel-pinned.
 * @ROUNDEL_ITEM_ONLINE_ONLY: Its contents are not on this computer. It has no icon: "online-only" is a badge, too.
 * @ROUNDEL_ITEM_SHARED: Others have access. The icon is emblem-roundel-shared.
 * @ROUNDEL_ITEM_READ_ONLY: Changes are not synced. The icon is emblem-roundel-read-only.
 * @ROUNDEL_ITEM_LOCKED: Somebody else has locked it. The icon is emblem-roundel-locked.
 *
 * What else is known of an item. The library has no words for these: a program that shows them as text has its own.
 */
typedef enum {
    ROUNDEL_ITEM_PINNED = 1,
    ROUNDEL_ITEM_ONLINE_ONLY = 2,
    ROUNDEL_ITEM_SHARED = 4,
    ROUNDEL_ITEM_READ_ONLY = 8,
    ROUNDEL_ITEM_LOCKED = 16,
} RoundelItemFlags;

/**
 * ROUNDEL_PROGRESS_NONE:
 *
 * The progress of an item that has none.
 */
#define ROUNDEL_PROGRESS_NONE 255

/**
 * RoundelBadge:
 * @identifier: "synced", "pending", "syncing", "paused", "error", "conflict", "excluded", "online-only", or an engine's
 *   own; "" where only flags are known.
 * @text: The label of the badge, with the progress, for a column and for a screen reader; the identifier where the
 *   badge has no label. Flags are not in it: it is "" where only flags are known.
 * @icons: The names of the icons to lay over the item, the most important first, ending in %NULL: that of the badge, if
 *   it has one, then those of the flags locked, read-only, shared and pinned.
 * @flags: Of #RoundelItemFlags.
 * @progress: 0 to 100, or %ROUNDEL_PROGRESS_NONE.
 *
 * What is known of an item.
 */
typedef struct {
    const char *identifier;
    const char *text;
    const char *const *icons;
    uint32_t flags;
    uint8_t progress;
} RoundelBadge;

/**
 * RoundelBadgeFunction:
 * @host: The host.
 * @path: An item: a name in the directory, spelled as it was given to roundel_host_show() or roundel_host_get_badge(),
 *   without empty segments. Symbolic links are not resolved.
 * @badge: Its badge now, or %NULL for none any more.
 * @data: What was given with the function.
 */
typedef void (*RoundelBadgeFunction)(RoundelHost *host, const char *path, const RoundelBadge *badge, void *data);

/**
 * roundel_host_on_badge:
 * @host: A host.
 * @function: The function to call when the badge of an item is there, has changed, looks different or is gone, or
 * %NULL.
 * @data: For the function.
 *
 * There is one such function; each call replaces it.
 */
ROUNDEL_EXPORT void roundel_host_on_badge(RoundelHost *host, RoundelBadgeFunction function, void *data);

/**
 * roundel_host_show:
 * @host: A host.
 * @directory: A directory that a window or a tab of the program shows from now on.
 *
 * Counted: each call has its roundel_host_hide(). A directory without synced items costs nothing.
 *
 * What the engines answer within 50 milliseconds comes first, and the rest whenever they tell it. Nothing says that all
 * of it is there: a program that prints a list once has to choose how long it waits.
 *
 * Returns: 0, or -1 with errno EINVAL.
 */
ROUNDEL_EXPORT int roundel_host_show(RoundelHost *host, const char *directory);

/**
 * roundel_host_hide:
 * @host: A host.
 * @directory: A directory that was shown.
 *
 * With the last one everything known of its items is forgotten, without a call for each.
 *
 * Returns: 0, or -1 with errno EINVAL, also for a directory that is not shown.
 */
ROUNDEL_EXPORT int roundel_host_hide(RoundelHost *host, const char *directory);

/**
 * roundel_host_get_badge:
 * @host: A host.
 * @path: An item that the program shows.
 *
 * Says what is known, and asks for what is not: if there is more, the function of roundel_host_on_badge() is called
 * later. The item may be in a directory that is not shown itself, as a search finds it; the library then observes the
 * directory until its items are released. Without %ROUNDEL_HOST_BY_NAME nothing is asked for in a directory that is
 * shown, since all of it was; one that is not shown is asked for as a whole.
 *
 * Returns: The badge, or %NULL for none or none yet; with errno EINVAL for a path that is none, otherwise errno is 0.
 */
ROUNDEL_EXPORT const RoundelBadge *roundel_host_get_badge(RoundelHost *host, const char *path);

/**
 * roundel_host_release:
 * @host: A host.
 * @path: An item that roundel_host_get_badge() was called for.
 *
 * The item is gone or not shown any more. It need not be called for items of a directory that is shown until it is
 * hidden; it must be for those of others, which stay observed otherwise.
 *
 * Returns: 0, or -1 with errno EINVAL.
 */
ROUNDEL_EXPORT int roundel_host_release(RoundelHost *host, const char *path);

/* Menus */

/**
 * RoundelMenuKind:
 * @ROUNDEL_MENU_OF_ITEMS: For selected items; the target is the directory that is shown.
 * @ROUNDEL_MENU_OF_CONTAINER: For the background of a directory, which is the target.
 * @ROUNDEL_MENU_OF_SIDEBAR: For an entry of the sidebar, which is the target.
 * @ROUNDEL_MENU_OF_TOOLBAR: For the toolbar button; the target is the directory that is shown, or %NULL.
 *
 * Where a menu is.
 */
typedef enum {
    ROUNDEL_MENU_OF_ITEMS = 0,
    ROUNDEL_MENU_OF_CONTAINER = 1,
    ROUNDEL_MENU_OF_SIDEBAR = 2,
    ROUNDEL_MENU_OF_TOOLBAR = 3,
} RoundelMenuKind;

/**
 * RoundelMenu:
 *
 * A menu as the engines offered it at one time.
 */
typedef struct RoundelMenu RoundelMenu;

/**
 * RoundelCheck:
 * @ROUNDEL_CHECK_NONE: The item has no check mark.
 * @ROUNDEL_CHECK_OFF: The check mark is off.
 * @ROUNDEL_CHECK_ON: The check mark is on.
 */
typedef enum {
    ROUNDEL_CHECK_NONE = 0,
    ROUNDEL_CHECK_OFF = 1,
    ROUNDEL_CHECK_ON = 2,
} RoundelCheck;

/**
 * RoundelMenuItem:
 * @id: What names it in roundel_host_activate().
 * @label: Its text as it stands: an underscore is one, and marks no mnemonic.
 * @icon: The name of its icon, or "".
 * @check: Its check mark.
 * @is_enabled: Whether it can be chosen.
 * @is_separator: Whether it is a line between others. Nothing else of it counts then.
 * @children: The items of its submenu, ending in %NULL; none for an item that can be chosen.
 */
typedef struct RoundelMenuItem {
    const char *id;
    const char *label;
    const char *icon;
    RoundelCheck check;
    bool is_enabled;
    bool is_separator;
    const struct RoundelMenuItem *const *children;
} RoundelMenuItem;

/**
 * roundel_host_find_menu:
 * @host: A host.
 * @kind: Where the menu is.
 * @target: What it belongs to, a path; %NULL is for the toolbar alone.
 * @selection: The paths of the selected items, or %NULL.
 * @count: How many there are.
 *
 * Gives the menu as it was last known, at once, and asks the service for it where that may be out of date. When the
 * answer differs, %ROUNDEL_CHANGE_MENUS is told; a menu that is open may take it in then.
 *
 * Returns: The menu, to be freed with roundel_menu_free(), or %NULL where nothing is known yet, with errno 0. %NULL
 *   with errno EINVAL for another kind, or a path that is none.
 */
ROUNDEL_EXPORT RoundelMenu *roundel_host_find_menu(
    RoundelHost *host, RoundelMenuKind kind, const char *target, const char *const *selection, size_t count);

/**
 * roundel_menu_get_items:
 * @menu: A menu.
 *
 * Returns: Its items, ending in %NULL, valid for as long as the menu.
 */
ROUNDEL_EXPORT const RoundelMenuItem *const *roundel_menu_get_items(const RoundelMenu *menu);

/**
 * roundel_menu_is_complete:
 * @menu: A menu.
 *
 * Returns: Whether every engine has answered. If not, the last item, which cannot be chosen, names those that are
 * waited for, and %ROUNDEL_CHANGE_MENUS is told when they have answered.
 */
ROUNDEL_EXPORT bool roundel_menu_is_complete(const RoundelMenu *menu);

/**
 * roundel_menu_free:
 * @menu: A menu, or %NULL.
 */
ROUNDEL_EXPORT void roundel_menu_free(RoundelMenu *menu);

/**
 * roundel_host_activate:
 * @host: A host.
 * @menu: A menu of that host.
 * @item_id: The id of an item in it.
 * @activation_token: A token of the compositor (xdg-activation) for a window that opens, or %NULL.
 * @timestamp: The time of the click on X11, in milliseconds of the server, or 0.
 * @parent_window: The window in which it was, "x11:" and its number in hexadecimal digits or "wayland:" and its handle,
 *   or %NULL.
 *
 * The person chose an item. If the service keeps the menu no longer, the same item of the same menu is chosen anew. How
 * it ends is told to the function of roundel_host_on_action().
 *
 * Returns: 0, or -1 with errno: EINVAL for a text that is not UTF-8, ENOENT where the menu holds no such item that can
 * be chosen, ENOTCONN while there is no badge service.
 */
ROUNDEL_EXPORT int roundel_host_activate(RoundelHost *host, const RoundelMenu *menu, const char *item_id,
    const char *activation_token, uint32_t timestamp, const char *parent_window);

/**
 * RoundelOutcome:
 * @ROUNDEL_OUTCOME_DONE: It is done.
 * @ROUNDEL_OUTCOME_CANCELLED: The person cancelled it.
 * @ROUNDEL_OUTCOME_FAILED: It failed. The badge service tells the person.
 *
 * How an action ended.
 */
typedef enum {
    ROUNDEL_OUTCOME_DONE = 0,
    ROUNDEL_OUTCOME_CANCELLED = 1,
    ROUNDEL_OUTCOME_FAILED = 2,
} RoundelOutcome;

/**
 * RoundelActionFunction:
 * @host: The host.
 * @item_id: The item that was chosen.
 * @outcome: How the action ended; unknown values are failures.
 * @message: Why it failed, a sentence for the person, or "".
 * @clipboard: A line that the program is to put on the clipboard, such as a link, or %NULL.
 * @data: What was given with the function.
 */
typedef void (*RoundelActionFunction)(RoundelHost *host, const char *item_id, RoundelOutcome outcome,
    const char *message, const char *clipboard, void *data);

/**
 * roundel_host_on_action:
 * @host: A host.
 * @function: The function to call when an action of this host has ended, or %NULL.
 * @data: For the function.
 *
 * There is one such function; each call replaces it.
 */
ROUNDEL_EXPORT void roundel_host_on_action(RoundelHost *host, RoundelActionFunction function, void *data);

/* Attributes */

/**
 * RoundelAttribute:
 * @name: What it is, in the person's language.
 * @value: Its value, for the person.
 *
 * A line of a property page.
 */
typedef struct {
    const char *name;
    const char *value;
} RoundelAttribute;

/**
 * RoundelFollower:
 *
 * A property page or the like that shows the attributes of one item.
 */
typedef struct RoundelFollower RoundelFollower;

/**
 * RoundelAttributesFunction:
 * @host: The host.
 * @path: The item.
 * @attributes: All that is known of it now, ending in %NULL.
 * @data: What was given with the function.
 */
typedef void (*RoundelAttributesFunction)(
    RoundelHost *host, const char *path, const RoundelAttribute *const *attributes, void *data);

/**
 * roundel_host_follow:
 * @host: A host.
 * @path: An item; its directory need not be shown.
 * @function: The function to call when its attributes are there, and when they may have changed. Changes are noticed of
 * items that have a badge in a directory that is shown.
 * @data: For the function.
 *
 * Returns: A follower, which ends with roundel_host_unfollow(). %NULL with errno EINVAL.
 */
ROUNDEL_EXPORT RoundelFollower *roundel_host_follow(
    RoundelHost *host, const char *path, RoundelAttributesFunction function, void *data);

/**
 * roundel_host_unfollow:
 * @host: A host.
 * @follower: A follower of that host.
 *
 * Its function is not called any more.
 */
ROUNDEL_EXPORT void roundel_host_unfollow(RoundelHost *host, RoundelFollower *follower);

#ifdef __cplusplus
}
#endif

#endif
