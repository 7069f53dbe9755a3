import Support

/// The texts of `roundel --help` for each command, its arguments and its options.
enum Help {
    enum Activity {
        static var abstract: String { Phrase.text("Print what syncing did, newest last.") }
        static var watch: String { Phrase.text("Stay and print a line each time that something was done.") }
        static var limit: String { Phrase.text("The number of entries.") }
    }

    enum Add {
        static var abstract: String { Phrase.text("Sync a folder with a directory, a server or an rclone remote.") }
        static var discussion: String {
            Phrase.text(
                """
                The first sync merges both sides: it compares what is on both of them, and deletes nothing. Symbolic \
                links are not synced. REMOTE is a directory, such as a mounted share: /dir or file:///dir, or a directory \
                of a WebDAV server: webdav+https://USER@HOST/PATH \
                (webdav+http:// on this computer), whose password is asked for and kept in your keyring, or a directory of \
                a remote that you configured with `rclone config`: rclone:NAME:PATH (rclone: alone names them).
                """)
        }
        static var wait: String { Phrase.text("Return when the first sync is finished.") }
        static var path: String { Phrase.text("The folder.") }
        static var remote: String {
            Phrase.text("The directory, the address of a server or the rclone remote that it syncs with.")
        }
    }

    enum Badge {
        static var abstract: String {
            Phrase.text("Print the badge of each item, asked over D-Bus as a file manager does.")
        }
        static var watch: String { Phrase.text("Stay and print a line each time that a badge changes.") }
        static var attributes: String {
            Phrase.text("Print what is known of each item beyond its badge: times, remote address, tags, reasons.")
        }
        static var paths: String { Phrase.text("A path or a file:// URI.") }
    }

    enum Conflicts {
        static var abstract: String { Phrase.text("List what was changed on both sides and nobody has resolved.") }
        static var discussion: String {
            Phrase.text(
                """
                The exit status is 2 while there are any.
                """)
        }
        static var path: String { Phrase.text("Only those at or below it.") }
    }

    enum Do {
        static var abstract: String { Phrase.text("Carry out an action of a menu.") }
        static var discussion: String {
            Phrase.text(
                """
                The ids are those of `roundel menu`. With PATHs the item is looked for in the menu of the items, then in \
                that of the directory's background and the sidebar; without, in the toolbar's.
                """)
        }
        static var item: String { Phrase.text("The item's id.") }
        static var paths: String { Phrase.text("The items that it acts on.") }
    }

    enum Doctor {
        static var abstract: String { Phrase.text("Check the installation and say what to do.") }
        static var discussion: String {
            Phrase.text(
                """
                Looks at the bus, the services, the watch limits, the folders, the file managers' plugins, the tray, the \
                notifications, the sidebar and the icons. The exit status is 2 if something needs you.
                """)
        }
    }

    enum Exclude {
        static var abstract: String { Phrase.text("Leave out of a folder what matches a pattern.") }
        static var discussion: String {
            Phrase.text(
                """
                Patterns are those of gitignore(5): the last one that matches decides, and one that begins with ! takes a \
                match back. What is below an excluded directory stays excluded. The bundled patterns (files that programs \
                write for themselves) come before the folder's own, so '!*.tmp' syncs files that one of them excludes; \
                only Roundel's own .roundel is never synced. Without a pattern all are listed, in the order in which they \
                are tried.
                """)
        }
        static var remove: String { Phrase.text("Remove the patterns.") }
        static var path: String { Phrase.text("The synced folder.") }
        static var patterns: String { Phrase.text("Patterns.") }
    }

    enum Limit {
        static var abstract: String { Phrase.text("Show or set how much of the network a folder may have.") }
        static var discussion: String {
            Phrase.text(
                """
                For folders that sync with a server or through rclone. A RATE is a number of bytes a second, such as 500k or \
                1.5M, and 0 for no limit; what is not named stays as it is. With --between the limits apply at these hours, \
                on all days or those of --on; at other times the limits apply that are set without hours. Where hours \
                overlap, those set last apply. A limit applies at once, also to transfers under way, and all transfers of \
                the folder share it. rclone has one limit for all folders that are transferring through it: the \
                smallest.

                On a connection that the system calls metered, such as a telephone's, a folder waits and says so, unless \
                you run `roundel sync PATH`; --metered sync lets it use such connections by itself.
                """)
        }
        static var path: String { Phrase.text("The synced folder.") }
        static var up: String { Phrase.text("At most so many bytes a second to the remote.") }
        static var down: String { Phrase.text("At most so many bytes a second to this computer.") }
        static var between: String { Phrase.text("The hours at which that holds, in local time: 08:00-18:00.") }
        static var days: String { Phrase.text("The days on which these hours begin: mon-fri, or sat,sun.") }
        static var none: String { Phrase.text("Remove all limits, or those of the hours.") }
        static var metered: String { Phrase.text("What the folder does on a metered connection.") }
    }

    enum List {
        static var abstract: String { Phrase.text("List the synced folders.") }
    }

    enum Listing {
        static var abstract: String { Phrase.text("List a directory with badges, sizes and progress.") }
        static var discussion: String {
            Phrase.text(
                """
                Directories come first. Items that the provider knows and that are not on disk yet are listed too.
                """)
        }
        static var directory: String { Phrase.text("A directory; by default the working directory.") }
    }

    enum Menu {
        static var abstract: String { Phrase.text("Show the menu that a file manager would show.") }
        static var discussion: String {
            Phrase.text(
                """
                items: of the selected PATHs. container: of the background of a directory. sidebar: of a registered \
                folder. toolbar: of the toolbar button. The ids behind the labels are for `roundel do`.
                """)
        }
        static var kind: String { Phrase.text("items, container, sidebar or toolbar.") }
        static var paths: String { Phrase.text("The items that it is for.") }
    }

    enum Output {
        static var json: String { Phrase.text("Print JSON: one document, or one for each line with --watch.") }
    }

    enum Pause {
        static var abstract: String { Phrase.text("Pause syncing until `roundel resume`, even after a restart.") }
    }

    enum Resume {
        static var abstract: String { Phrase.text("Resume syncing.") }
    }

    enum Pausing {
        static var path: String { Phrase.text("A synced folder; by default all.") }
    }

    enum Providers {
        static var abstract: String { Phrase.text("List, enable, disable, forget and allow sync engines.") }
    }

    enum ProvidersList {
        static var abstract: String { Phrase.text("List the known providers.") }
        static var discussion: String {
            Phrase.text(
                """
                A folder above or below another provider's waits until it is allowed.
                """)
        }
    }

    enum ProvidersEnable {
        static var abstract: String { Phrase.text("Enable a provider; it is started.") }
        static var id: String { Phrase.text("The provider's id.") }
    }

    enum ProvidersDisable {
        static var abstract: String { Phrase.text("Disable a provider; its badges and menus go.") }
        static var id: String { Phrase.text("The provider's id.") }
    }

    enum ProvidersForget {
        static var abstract: String { Phrase.text("Forget the folders of a provider that does not run.") }
        static var discussion: String {
            Phrase.text(
                """
                For a provider that is gone and has left folders behind. No file is deleted; if the provider comes back, it \
                registers its folders again.
                """)
        }
        static var id: String { Phrase.text("The provider's id.") }
    }

    enum ProvidersAllow {
        static var abstract: String {
            Phrase.text("Allow a provider to show badges in a folder above or below another provider's.")
        }
        static var discussion: String {
            Phrase.text(
                """
                What lies in folders of several providers is shown by the one whose folder is the deepest.
                """)
        }
        static var id: String { Phrase.text("The provider's id.") }
        static var paths: String { Phrase.text("Its folders; all that wait, if none is given.") }
    }

    enum ProvidersDisallow {
        static var abstract: String { Phrase.text("Take back what was allowed to a provider for a folder.") }
        static var id: String { Phrase.text("The provider's id.") }
        static var paths: String { Phrase.text("Its folders.") }
    }

    enum Relocate {
        static var abstract: String { Phrase.text("Tell Roundel where you moved a synced folder.") }
        static var old: String { Phrase.text("Where the folder was.") }
        static var new: String { Phrase.text("Where it is now.") }
    }

    enum Remove {
        static var abstract: String { Phrase.text("Stop syncing a folder; no file is deleted, here or on the remote.") }
        static var discussion: String {
            Phrase.text(
                """
                What syncing replaced or deleted in it stays for its 30 days: `roundel trash` lists and restores it all the \
                same.
                """)
        }
        static var path: String { Phrase.text("The synced folder.") }
    }

    enum Resolve {
        static var abstract: String { Phrase.text("Resolve a conflict.") }
        static var discussion: String {
            Phrase.text(
                """
                mine: the version of this computer takes the name. theirs: the remote's version keeps it. both: each \
                stays under its name. What gives way is kept in the trash: see `roundel trash`. The exit status is 2 if \
                that waits until the folder can be synced again.
                """)
        }
        static var path: String { Phrase.text("Either of the two paths.") }
        static var choice: String { Phrase.text("mine, theirs or both.") }
    }

    enum Setup {
        static var abstract: String {
            Phrase.text("Make the installed file managers load Roundel's plugins, and start the service.")
        }
        static var discussion: String {
            Phrase.text(
                """
                Finds the file managers that are installed, puts each plugin where the program looks for it, has the badge \
                service start with the session, and says when each file manager is ready. Where root's rights are needed, \
                it prints one command, and on a terminal asks whether to run it. Run by root it does that part only, for \
                everybody. It may be run again at any time; --remove undoes it. The exit status is 2 if something needs you.
                """)
        }
        static var emblems: String {
            Phrase.text("Also have emblems written for Thunar and PCManFM-Qt, by roundel-metadata.")
        }
        static var remove: String { Phrase.text("Undo it all, and end the services.") }
    }

    enum Status {
        static var abstract: String { Phrase.text("Show the state of the synced folders.") }
        static var discussion: String {
            Phrase.text(
                """
                What the badge service remembers is shown at once, and more as soon as the provider answers. The exit \
                status is 2 while something needs you: conflicts, errors, a decision. It is 1 if the sync worker cannot be \
                started.
                """)
        }
        static var watch: String { Phrase.text("Stay, and follow what changes.") }
        static var path: String { Phrase.text("A synced folder or something in it.") }
    }

    enum Sync {
        static var abstract: String { Phrase.text("Sync now.") }
        static var discussion: String {
            Phrase.text(
                """
                Without PATH: every folder that is not paused. An edit made just before is included. Several deletions \
                are carried out once no further one has come for three seconds; --wait waits for that, and some \
                seconds for a file that is still being written, or that the remote puts off; then it ends with 2 and names \
                the file.
                """)
        }
        static var wait: String { Phrase.text("Return when the run is finished.") }
        static var dryRun: String { Phrase.text("Say what would be done, and change nothing.") }
        static var confirmDeletes: String {
            Phrase.text("Confirm deletions that Roundel held back, and those that this run finds.")
        }
        static var restoreDeleted: String {
            Phrase.text("Restore the items whose deletion Roundel held back, from the side that still has them.")
        }
        static var unite: String {
            Phrase.text(
                """
                The remote was restored from a backup, or another directory has the place of the folder or of the remote: \
                keep both versions of what differs, delete nothing.
                """)
        }
        static var sameRoot: String {
            Phrase.text(
                """
                The folder or the remote is the one that was synced, although its mark is missing or another: go on; what \
                is missing in it was deleted.
                """)
        }
        static var acceptRemote: String {
            Phrase.text("Accept the remote's older versions: sync them like any other change.")
        }
        static var path: String { Phrase.text("A synced folder or something in it.") }
        static var timeout: String { Phrase.text("Give up waiting after so many seconds; the run goes on.") }
    }

    enum Trash {
        static var abstract: String { Phrase.text("List and restore what syncing replaced or deleted.") }
        static var discussion: String {
            Phrase.text(
                """
                Versions that syncing replaces or deletes are kept for 30 days: on this computer in the desktop's trash and in \
                Roundel's own store, on a remote directory in its “.roundel”. Each store holds up to 1 GiB; beyond that, and \
                where a disk is full, the oldest versions go first. They stay when a folder is removed.
                """)
        }
    }

    enum TrashList {
        static var abstract: String { Phrase.text("List what can be restored, newest first.") }
    }

    enum TrashRestore {
        static var abstract: String { Phrase.text("Put an item back, in its newest version, or all since a moment.") }
        static var discussion: String {
            Phrase.text(
                """
                A directory that was deleted comes back with everything in it that was deleted. What is kept on the remote is \
                put back there and comes to the folder with the next sync. Nothing is replaced: if another item has the \
                name, the restored one gets “(restored)” in its name.

                With --all and --since everything that was replaced or deleted since a moment is restored as it was then: of \
                each path the oldest version that was kept since. PATH is then a folder or something in it; without it all \
                folders. \
                WHEN is 90s, 30min, 2h, 3d or 2w ago, or a date such as 2026-11-20, “2026-11-20 14:00” or \
                2026-11-20T14:00:05Z. The exit status is 2 if something could not be restored or one side does not answer.

                Versions of a folder that is no longer synced go back to where the folder was, or to another directory with \
                --to.
                """)
        }
        static var path: String { Phrase.text("Where it was.") }
        static var all: String { Phrase.text("Everything that was replaced or deleted since --since.") }
        static var since: String { Phrase.text("How long ago, or when, for --all.") }
        static var target: String { Phrase.text("Restore below this directory, by the path in the folder.") }
    }

    enum TrashDelete {
        static var abstract: String { Phrase.text("Delete for good what is kept of an item and of all in it.") }
        static var discussion: String {
            Phrase.text(
                """
                What is in the desktop's trash stays there until that is emptied. The exit status is 2 if one side does not \
                answer.
                """)
        }
        static var path: String { Phrase.text("Where it was, or a folder, synced or not.") }
    }

    enum Verify {
        static var abstract: String { Phrase.text("Compare every byte with the remote, and say what differs.") }
        static var discussion: String {
            Phrase.text(
                """
                Reads every file on both sides; syncing goes on meanwhile. Of a file that differs both versions stay, in \
                conflict; nothing else is changed. What is changing or not synced yet is no difference. The exit status \
                is 2 if something is not the same or cannot be read. Ctrl-C ends it.
                """)
        }
        static var path: String { Phrase.text("A synced folder or something in it; by default every folder.") }
    }

    enum Login {
        static var abstract: String { Phrase.text("Save the password of a remote in your keyring.") }
        static var discussion: String {
            Phrase.text(
                """
                A server that gives programs passwords of their own (Nextcloud) has a page on which you log in: its address is \
                printed, and opened in your browser where there is one. Otherwise, or with --password, the password is \
                asked for on the terminal. Where the standard input is no terminal, the password is read from it as one \
                line; without any the page is used. It is never taken from arguments or variables. It goes to the Secret \
                Service of the desktop (gnome-keyring, KWallet), encrypted, and into no file of Roundel's. A password that \
                you give is tried at the server, and not saved if the server refuses it; one that cannot be tried now is \
                saved. Folders that sync with it are synced now.
                """)
        }
        static var password: String {
            Phrase.text("Ask for a password, even where the server has a page to log in on.")
        }
        static var remote: String {
            Phrase.text("A synced folder, or the address of a remote: webdav+https://USER@HOST/PATH.")
        }
    }

    enum Logout {
        static var abstract: String { Phrase.text("Delete the password of a remote from your keyring.") }
        static var discussion: String {
            Phrase.text(
                """
                Without a user in the address all passwords for that server are deleted. A password that the server gave to \
                this computer, when you logged in on its page, is first taken back there; one that you typed is not, as \
                you may use it elsewhere. Synced folders stay synced folders, and need the password again. The exit status \
                is 1 if none is saved.
                """)
        }
    }

    enum Roundel {
        static var abstract: String { Phrase.text("Sync badges, menus and status for every Linux file manager.") }
        static var discussion: String {
            Phrase.text(
                """
                A PATH is a path of any bytes or a file:// URI. Exit status: 0 done, 1 failed, 2 done but something needs \
                you (conflicts, errors), 64 wrong usage. What --json prints is described in Documentation/json.md.
                """)
        }
    }
}
