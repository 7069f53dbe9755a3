#pragma once

/* All texts that the helper prints or logs. `_` and `n_`, the latter with a number, are where a catalogue of
 * translations could be used; each text is complete, with its arguments in a format. */

#define _(text) (text)
#define n_(one, many, number) ((number) == 1 ? (one) : (many))

#define TEXT_OPTION_CLEAN _("Remove every emblem that was added, and exit")
#define TEXT_OPTION_VERSION _("Print the version, and exit")
#define TEXT_SUMMARY                                                                                                   \
    _("Shows the badges of synced folders in Thunar, PCManFM-Qt and PCManFM, by writing\n"                             \
      "emblems into the metadata that these read. Exits on SIGTERM and removes them.")
/* With the argument. */
#define TEXT_NO_ARGUMENTS _("unexpected argument “%s”; see --help")

/* With a number. */
#define TEXT_REMOVED(number) n_("%u emblem was removed.", "%u emblems were removed.", number)
#define TEXT_LEFT(number)                                                                                              \
    n_("%u more belongs to an item that is missing now; run this again when it is back.",                              \
        "%u more belong to items that are missing now; run this again when they are back.", number)

#define TEXT_NO_GVFS _("GVFS, which keeps the emblems of files, is missing; install the packages gvfs and gvfs-daemons")
#define TEXT_RUNNING_ALREADY                                                                                           \
    _("roundel-metadata is running already; stop it first, for example with: systemctl --user stop roundel-metadata")
/* With a path, and the reason. */
#define TEXT_LEDGER_UNWRITABLE _("Cannot write %s (%s): emblems could be left behind after a crash")
/* With the name of an item, and the reason. */
#define TEXT_EMBLEMS_UNCHANGEABLE _("The emblems of %s, and perhaps of other items, cannot be changed: %s")
/* With a number. */
#define TEXT_TOO_MANY_EMBLEMS _("%u items carry an emblem; further items get none")
#define TEXT_TOO_MANY_DIRECTORIES                                                                                      \
    _("More than %d directories hold something that is not synced; items in the others show no emblems until some of " \
      "these are synced")
