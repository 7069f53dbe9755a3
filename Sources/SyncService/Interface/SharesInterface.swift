internal import DBus
internal import Remotes
internal import RoundelBus
internal import Secrets
internal import Support

/// Sharing items with others: `org.roundel.Roundel1.Engine.Shares`.
enum SharesInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(.shares, methods(service))
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("ShareRules", [("uri", "s")], [("rules", "a{sv}")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                try service.shares(of: item).rules(of: item) { result in
                    call.answer(result) { writer, rules in try writer.append(map: rules.map) }
                }
            },
            .ofWorker("ListShares", [("uri", "s")], [("shares", "aa{sv}")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                try service.shares(of: item).shares(of: item) { result in
                    call.answer(result) { writer, shares in try writer.append(value: .maps(shares.map(\.map))) }
                }
            },
            .ofWorker("FindRecipients", [("uri", "s"), ("text", "s")], [("recipients", "aa{sv}")]) {
                [unowned service] call, reader in
                let item = try reader.readItemURI()
                let text = try reader.readString()
                guard (1...256).contains(text.utf8.count) else {
                    throw WorkerError(.invalidArguments, tr("Type a part of a name, of at most 256 letters."))
                }
                try service.shares(of: item).recipients(text, for: item) { result in
                    call.answer(result) { writer, found in try writer.append(value: .maps(found.map(\.map))) }
                }
            },
            .ofWorker("AddShare", [("uri", "s"), ("kind", "s")], [("share", "a{sv}")]) {
                [unowned service] call, reader in
                let item = try reader.readItemURI()
                let kind = try reader.readString()
                let options = try reader.readOptions()
                service.share(try service.shares(of: item), item, try ShareWish(kind, options), options, call)
            },
            .ofWorker("ChangeShare", [("uri", "s"), ("id", "s")], [("share", "a{sv}")]) {
                [unowned service] call, reader in
                let item = try reader.readItemURI()
                let id = try reader.readString()
                let options = try reader.readOptions()
                let (shares, change) = (try service.shares(of: item), try ShareChange(options))
                service.withPassword(in: options, call) { password in
                    var change = change
                    if let password { change.password = .new(password) }
                    shares.change(id, of: item, change) { result in
                        call.answer(result) { writer, share in try writer.append(map: share.map) }
                    }
                }
            },
            .ofWorker("EndShare", [("uri", "s"), ("id", "s")]) { [unowned service] call, reader in
                let item = try reader.readItemURI()
                try service.shares(of: item).end(try reader.readString(), of: item) { result in
                    call.answer(result) { _, _ in }
                }
            },
        ]
    }
}

extension Worker {
    /// The shares of an item's folder.
    fileprivate func shares(of item: ItemURI) throws(WorkerError) -> FolderShares {
        let unit = try folders.unit(named: item.uri)
        // A folder may be a whole account.
        if item == unit.uri { throw .folderNotShared(item) }
        guard let shares = unit.shares, shares.givesShares else {
            throw WorkerError(.unsupported, tr("“{1}” syncs with a place that shares nothing.", unit.settings.label))
        }
        return shares
    }

    /// Shares an item with the password that a pipe gives, if there is one.
    fileprivate func share(
        _ shares: FolderShares, _ item: ItemURI, _ wish: ShareWish, _ options: VariantMap, _ call: MethodCall
    ) {
        withPassword(in: options, call) { password in
            var wish = wish
            wish.password = password
            shares.share(item, wish) { result in
                call.answer(result) { writer, share in try writer.append(map: share.map) }
            }
        }
    }

    /// Reads the password that a pipe gives, and goes on with it; with nil if there is no pipe.
    fileprivate func withPassword(
        in options: VariantMap, _ call: MethodCall, _ body: @escaping (SharePassword?) -> Void
    ) {
        guard let value = options["password"] else { return body(nil) }
        guard case .fileDescriptor(let pipe) = value else {
            return call.fail(WorkerError(.invalidArguments, SecretStoreError.unusable.sentence).busError)
        }
        let isBegun = blocking.run({ () -> Result<SharePassword, any Error> in
            Result {
                let secret = try SecretPipe.read(
                    pipe, longest: StoredLogin.longestPassword, within: Patience.Worker.password)
                guard (1...StoredLogin.longestPassword).contains(secret.count),
                    let text = secret.withBytes({ String(validating: $0, as: UTF8.self) }), !text.contains("\0")
                else { throw SecretStoreError.unusable }
                return SharePassword(text)
            }
        }) { read in
            switch read {
            case .success(let password): body(password)
            case .failure(let error): call.fail(WorkerError(readingPassword: error).busError)
            }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }
}

extension ShareWish {
    /// From the arguments of AddShare, without the password.
    fileprivate init(_ kind: String, _ options: VariantMap) throws(WorkerError) {
        guard let kind = ShareKind(rawValue: kind) else {
            throw WorkerError(
                .invalidArguments, tr("An item is shared by a link, with a user or a group, not “{1}”.", kind))
        }
        self.init(kind, with: options.string("with"), rights: try options.shareRights() ?? .view)
        guard let until = options.string("until") else { return }
        end = try CalendarDay(ofShare: until)
    }
}

extension ShareChange {
    /// From the options of ChangeShare, without a new password.
    fileprivate init(_ options: VariantMap) throws(WorkerError) {
        self.init()
        rights = try options.shareRights()
        if let until = options.string("until") {
            end = until.isEmpty ? .none : .day(try CalendarDay(ofShare: until))
        }
        if options.bool("no-password") == true { password = .none }
        if options["password"] != nil, options.bool("no-password") == true {
            throw WorkerError(.invalidArguments, tr("A link either has a password or none."))
        }
    }
}

extension VariantMap {
    /// The rights that options say; nil if they say none.
    fileprivate func shareRights() throws(WorkerError) -> ShareRights? {
        guard let word = string("rights") else { return nil }
        guard let rights = ShareRights(rawValue: word) else {
            throw WorkerError(.invalidArguments, tr("Rights are view, edit or upload, not “{1}”.", word))
        }
        return rights
    }
}

extension CalendarDay {
    /// The last day of a share.
    fileprivate init(ofShare text: String) throws(WorkerError) {
        guard let day = CalendarDay(text) else {
            throw WorkerError(.invalidTime, tr("“{1}” is no day. Write it like 2026-11-28.", text))
        }
        self = day
    }
}
