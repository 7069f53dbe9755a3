/// The words of Roundel's own sentences and log lines, in English. Written by po/vocabulary.py.
enum OwnWords {
    static let text = """
        A Add Again All Allow Always An Another Answer Ask At BUCKET Begin BeginObserving Both Bring Browser Btrfs
        By Certificates Change Changed Changes Check Choose Close Commit Compare Computer Confirm Conflict Contents
        Copied Copy Copying Create Default Delete Devices Differs Discard Do Download Each End Enter Error
        Everything Exclude FUSE Files Fix Folder Folders For Free GUI Git Give Go HOME HTTP Here History Hour Hours
        I If Ignored Install Is It Item Items Its JSON KWallet Keep KiB Last Leave Let Link Load Lock Locked Log
        Look Looking Make Mark Meld MiB Modified Mount Move Moving NAME NUL Name Names Needs Nextcloud No Nobody Not
        Nothing Now ObjectPath Off Older On One Online Only Open Other Others Otherwise Out Override PATH PNG Pause
        Paused Please Process Read-only Register Remote Remote's Remove Rename Rescan Resolve Resolved Restore
        Resume Revert Rights Roundel Roundel's Roundel’s Run SOCKS SVG Same Say Scripts Secret See Server Service
        Services Session SetFolders Several Share Shared Show Shows Sides Somebody Something Space Stage Staged Stop
        Stopped Symbolic Sync Synced Syncing Syncthing Syncthing's Take The There This To Tomorrow Too Trash Try
        Turn Type URI URIs Unchanged Unite Unknown Unlock Unmount Unstage Until Up UpdateBadges Uploading Usage Use
        Versions Wait Waiting WebDAV Week What Whether Why Without Write XFS You Your a a-z about above absolute
        accept accepted access account action actions add added address after again ago ahead all allow allowed
        allows alone already always among an and anew another answer answered answers any anything app are arrive
        arrived as aside ask asked at attention attribute attributes authority back backup badge badges be because
        becomes been before begin begins begun behind being belong belongs below beside both branch brought browser
        browsers buckets bus busy but buttons by byte bytes call called caller calls came can cancelled cannot
        carried case catalogue certificate change changed changes character characters check checked choice choose
        chooser chosen cleared clock close closed columns come comes command comment commit commits common compare
        compared compares computer computer's computers configuration configured confirmation conflict conflicts
        connect connection connections contain container contains contents control copied copies copy could damaged
        database date day days dbus-run-session decide delete deleted deletion deletions demand demands desktop
        desktop's device devices dialog dialogs did differ different differs digits directions directories directory
        disable disabled disk do does doing done dot download downloaded downloads dry each earlier edit either else
        elsewhere empty enable enabled encrypted end ended ends engine engines enough enter error errors every
        example except exclude exists expired extended failed fails fault fetched fewer file files filters finished
        first fit folder folder's folders follow followed for form former found fragment free freed fri from full
        fuse gave get git git's give given gnome-keyring go goes gone good group groups hard has have here
        hexadecimal hides hold holds hour hours how hyphens icon icons id identifiers if ignored image images in
        inhibitor inside install installed instead interface interfaces interrupted into is it item items its itself
        just keep keeps kept kernel key keyring kind know known knows label labels large larger last later leads
        least leave leaves left length less let lets letter letters lies like limit limits line link links list
        little lock locked log logged login logins long longer look looked looks made maintained make makes manager
        managers manifest manifests many mark marked may mean meanwhile meld memory menu menus metered middle mine
        minute minutes missing module moment mon more most mount mounted move moved much must name named names
        nearly need needed needs neither network never new newer no noatime nobody none nor not nothing notices
        notification notifications now nowhere object observations observe observing of off offers often old older
        on once one only open opened option or ordinary original originals other others out outside over overlaps
        own ownCloud owner package page part parts passphrase password passwords past path pattern pause paused
        people percentage perhaps permission permissions person picture pictures pipe place plain private program
        programs progress protected provider provider's providers proxies proxy put query question questions rclone
        reach reached reaches read read-only reason receive received refers refused refuses register registered
        relatime remote remotes remove removed rename renamed renew replaced reply report repository repository's
        requests resolved restart restore restored resume room root roundel roundel-git roundel-marks
        roundel-syncthing roundel-window roundel-worker roundeld rule run running runs safely said same sandbox sat
        save saved saves say saying says scheme script scripts second seconds secret see segment select selected
        send sends sent server server's servers service services session set settings several sftp shapes share
        shared shares shorten show shown shows side sidebar sidebars sides signals signed since size slash sleep
        smaller so socket some somebody something soon space spelling square stand start started starting starts
        state states status stay stays still stopped stopping stores such sun switched symbolic sync synced syncing
        syncs syncthing system take taken takes tell terminal than that the their theirs them theme then there these
        they this those thread through thu time to today together tomorrow too took toolbar tooltip tracked transfer
        translations trash tray tray's tried trust trusted try tue turn turned twice two type types under
        underscores understand understood unencrypted unequal unexpectedly unknown unlock unmount unmounted until up
        update upload upload-only uploaded uploads use used user user's uses valid value variable version versions
        view wait waiting waits want wanted wants was way wed well went were what when where whether which while who
        whoever whole whom whose will window with within without word work worker works would writable write written
        wrong yesterday yet you your yours yourself
        """
}
