#pragma once

#include <glib.h>

/*
 * All texts that the plugins show to the user. `_` is where a catalogue of translations could be used; each text is
 * complete, with its arguments in a format.
 */

#define _(text) (text)

#define TEXT_NAME _("Roundel")
#define TEXT_DESCRIPTION _("Shows the sync state of your files")

#define TEXT_DETAILS_TITLE _("Sync")
#define TEXT_COLUMN_LABEL _("Sync State")
#define TEXT_COLUMN_DESCRIPTION _("The sync state of the file")

#define TEXT_TOOLBAR_LABEL _("Roundel")
#define TEXT_TOOLBAR_TOOLTIP _("Sync")
#define TEXT_NO_SERVICE _("Roundel Is Not Running")
#define TEXT_EMPTY_MENU _("No Actions")
#define TEXT_MENU_WAITING _("Loading…")

/* Why a chosen action was not done. */
#define TEXT_SERVICE_ENDED _("Roundel stopped before the action was finished.")
#define TEXT_SERVICE_ABSENT _("Roundel is not running.")
#define TEXT_NO_LONGER_OFFERED _("This is no longer offered. Please open the menu again.")

#define TEXT_ROW_STATE _("State")
#define TEXT_ROW_MESSAGE _("Message")
#define TEXT_ROW_PROGRESS _("Progress")
#define TEXT_ROW_TRANSFERRED _("Transferred")
#define TEXT_ROW_SIZE _("Size")
#define TEXT_ROW_LAST_SYNCED _("Last synced")
#define TEXT_ROW_LAST_USED _("Last used")
#define TEXT_ROW_REMOTE_ADDRESS _("Remote address")
#define TEXT_ROW_TAGS _("Tags")

/* With the row's name. */
#define TEXT_ROW_FORMAT _("%s:")
/* A number of percent; no line break before its sign. */
#define TEXT_PERCENT_FORMAT _("%u\xc2\xa0%%")
/* A state and its progress in percent. */
#define TEXT_STATE_FORMAT _("%s %u\xc2\xa0%%")
/* Two sizes. */
#define TEXT_TRANSFERRED_FORMAT _("%s of %s")
#define TEXT_LIST_SEPARATOR _(", ")
