package import RoundelBus
internal import Secrets
internal import Support

/// How much space a folder takes and has, in words. What is not known says so.
package struct SpaceWords: Sendable, Equatable {
    /// What the folder takes.
    package let folder: String
    /// What is free on this computer.
    package let here: String
    /// What is free on the remote.
    package let there: String

    /// - Parameter space: Nil before it was asked for.
    package init(_ space: SyncSpace?) {
        guard let space else {
            (folder, here, there) = (tr("Asking…"), tr("Asking…"), tr("Asking…"))
            return
        }
        if let files = space.files, let bytes = space.bytes {
            folder = tr(files, one: "1 file, {2}", other: "{1} files, {2}", Quantity.bytes(bytes))
        } else {
            folder = tr("Not known before it was synced")
        }
        here = space.free.map { tr("{1} free", Quantity.bytes($0)) } ?? tr("Not known")
        there = space.available.map { tr("{1} free", Quantity.bytes($0)) } ?? tr("The remote does not say")
    }
}

/// What a person can do about the login of a folder.
package struct AccountRow: Sendable, Equatable {
    /// The server.
    package let server: String
    /// Whether somebody is logged in, in words.
    package let state: String
    /// Whether the folder needs a login.
    package let isNeeded: Bool
    /// What the button to log in says.
    package var button: String { isNeeded ? tr("Log In…") : tr("Log In Again…") }

    /// Nil for a folder that needs no login, or of which Roundel does not keep it.
    package init?(_ status: SyncFolderStatus) {
        guard let account = try? RemoteAccount(remote: status.remote) else { return nil }
        server = DisplayText.escaped(account.server)
        isNeeded = status.needs?.known == .login
        if isNeeded {
            state = tr("You are not logged in")
        } else if Self.wasReached(status) {
            state = account.user.map { tr("Logged in as {1}", DisplayText.escaped($0)) } ?? tr("Logged in")
        } else {
            // A login that nobody has used lately may have ended.
            state = account.user.map { DisplayText.escaped($0) } ?? ""
        }
    }

    /// Whether the server answers, so that it accepts the login.
    private static func wasReached(_ status: SyncFolderStatus) -> Bool {
        guard status.state != .paused, status.lastSynced != nil else { return false }
        return switch status.needs?.known {
        case nil: status.needs == nil
        case .conflicts, .errors, .confirmDeletes: true
        case .rootMissing, .rootReplaced, .remoteMissing, .remoteReplaced, .remoteRestored, .login, .server, .diskFull:
            false
        }
    }
}

/// The limits that a person sets for a folder, in the units in which they are typed.
package struct NetworkForm: Sendable, Equatable {
    /// The least limit that engines take, in kilobytes per second.
    package static let least = 20.0
    /// The most, in the same unit.
    package static let most = 1_000_000.0

    /// The most kilobytes per second to the remote; 0 for no limit.
    package var up: Double
    /// The same to this computer.
    package var down: Double
    /// Whether the folder syncs on metered connections as well.
    package var isAllowedOnMetered: Bool
    /// What else holds, in words; nil for nothing.
    package let remark: String?
    private let use: SyncNetworkUse

    /// The limits that are set.
    package init(_ report: SyncNetworkReport) {
        use = report.use
        (up, down) = (Double(use.up) / 1000, Double(use.down) / 1000)
        isAllowedOnMetered = use.isAllowedOnMetered
        if report.isHeld {
            remark = tr("It waits for a connection that is not metered.")
        } else {
            remark = use.periods.isEmpty ? nil : tr("At certain hours, which are kept, other limits hold.")
        }
    }

    /// What is to be set; nil if nothing changes. Limits that are too small are the least that there are.
    package var changed: SyncNetworkUse? {
        var new = use
        // What was not touched stays as it is, to the byte.
        if up != Double(use.up) / 1000 { new.up = Self.bytes(up) }
        if down != Double(use.down) / 1000 { new.down = Self.bytes(down) }
        new.isAllowedOnMetered = isAllowedOnMetered
        return new == use ? nil : new
    }

    private static func bytes(_ kilobytes: Double) -> UInt64 {
        guard kilobytes > 0 else { return 0 }
        return UInt64(min(max(kilobytes, least), most) * 1000)
    }
}
