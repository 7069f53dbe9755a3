internal import RoundelBus

/// The calls of providers.
extension Engine {
    mutating func handle(_ call: RegistryCall) {
        if folderChecks.isOpen(call.caller) { return wait(call) }
        if case .register(let registration) = call.request { return register(call, registration) }
        guard let provider = providers.provider(at: call.caller) else {
            return fail(call.token, .notRegistered)
        }
        switch call.request {
        case .register: break
        case .setFolders(let offers): setFolders(call, provider, offers)
        case .setBadgeImages(let images): setBadgeImages(call, provider, images)
        case .storePicture(let name, let bytes): storePicture(call, provider, name, bytes)
        case .updateBadges(let uri, let columns): updateBadges(call, provider, uri, columns)
        case .setFolderStatus(let uri, let status, let notices): setFolderStatus(call, provider, uri, status, notices)
        case .flush(let uri): flush(call, provider, uri)
        case .unregister: unregister(call, provider)
        }
    }

    /// Keeps a call until the folders of an earlier SetFolders are checked.
    private mutating func wait(_ call: RegistryCall) {
        if !folderChecks.wait(call) { fail(call.token, .tooManyCallsWait) }
    }

    private mutating func register(_ call: RegistryCall, _ registration: ProviderRegistration) {
        guard let id = ProviderID(registration.id) else {
            return fail(call.token, .badProviderID)
        }
        if let refusal = registration.refusal { return fail(call.token, refusal) }
        do throws(Refusal) {
            if let program = registration.program { try admit(program, as: id) } else { try giveUp(id) }
        } catch {
            return fail(call.token, error)
        }
        guard mayBe(id, call.caller) else {
            return fail(call.token, .idTaken(id))
        }
        guard providers[id] != nil || providers.strangers < Limits.strangers else {
            return fail(call.token, .tooManyStrangers(id))
        }
        let buttonBefore = toolbarItem
        let endpoint = ProviderEndpoint(connection: call.caller, object: registration.object)
        // A provider that registers again where it is keeps what it reported, and so its share of the badges too.
        if let old = providers[id]?.endpoint, old != endpoint { providerGone(id, isFinal: true) }
        providers.update(id) { $0.register(registration) }
        providers.connect(id, endpoint)
        reply(call.token, .done)
        act(.providerSettled(id))
        if toolbarItem != buttonBefore { act(.propertiesChanged(.toolbarItem)) }
        act(.providersChanged)
    }

    /// Whether a connection may register under an id.
    private func mayBe(_ id: ProviderID, _ connection: String) -> Bool {
        if let present = providers.provider(at: connection), present != id { return false }
        guard let record = providers[id] else { return true }
        if let manifest = record.manifest { return manifest.owner == connection }
        return record.endpoint == nil || record.endpoint?.connection == connection
    }

    private mutating func setBadgeImages(_ call: RegistryCall, _ provider: ProviderID, _ images: [BadgeImage]) {
        guard images.count <= Limits.badgeImages else {
            return fail(call.token, .tooManyBadgeImages)
        }
        // The common ones have the same meaning for all providers.
        if let image = images.first(where: { !$0.badge.belongs(to: provider) }) {
            return fail(call.token, .badgeTaken(image.badge, provider))
        }
        guard images.allSatisfy({ $0.label.isWithin(Limits.providerText) }) else {
            return fail(call.token, .textTooLong)
        }
        if let image = images.first(where: { !$0.icon.isIconName }) {
            return fail(call.token, .iconIsPath(image.icon))
        }
        let bytes = images.reduce(0) {
            $0 + $1.badge.identifier.utf8.count + $1.label.utf8.count + $1.icon.utf8.count
        }
        guard bytes <= Limits.imageText else { return fail(call.token, .tooMuchImageText) }
        let before = badgeImages
        providers[provider]?.setImages(images)
        reply(call.token, .done)
        if badgeImages != before { act(.propertiesChanged(.badges)) }
    }

    /// Answered when the picture is saved. One with the name of another takes its place.
    private mutating func storePicture(_ call: RegistryCall, _ provider: ProviderID, _ name: String, _ bytes: [UInt8]) {
        do throws(Refusal) {
            let picture = try Picture(bytes, named: name, of: provider)
            let stored = providers[provider]?.pictures ?? [:]
            guard stored[name] != nil || stored.count < Limits.pictures else { throw .tooManyPictures }
            providers[provider]?.setPicture(name, icon: picture.icon)
            if let former = stored[name], former != picture.icon { act(.removePictures([former])) }
            act(.storePicture(call.token, picture))
        } catch {
            fail(call.token, error)
        }
    }

    private mutating func setFolderStatus(
        _ call: RegistryCall, _ provider: ProviderID, _ uri: ItemURI, _ status: FolderStatus,
        _ notices: [FolderNotice]
    ) {
        guard isFolder(uri, of: provider) else { return fail(call.token, .notYourFolder(uri, provider)) }
        guard Progress.isValid(status.progress) else {
            return fail(call.token, .badProgress)
        }
        if let refusal = FolderNotice.refusal(of: notices) { return fail(call.token, .badNotices(refusal)) }
        let size = notices.reduce(0) { $0 + $1.size }
        guard size <= providers[provider]?.roomForNotices(of: uri) ?? 0 else {
            return fail(call.token, .tooMuchNoticeText)
        }
        reply(call.token, .done)
        var status = status
        status.text = status.text.shortened(to: Limits.statusText)
        // What all providers say has to fit in one message to each host.
        if status.text.utf8.count > providers[provider]?.roomForStatus(of: uri) ?? 0 { status.text = "" }
        let changed = providers[provider]?.report(status, notices, of: uri) ?? []
        guard !changed.isEmpty else { return }
        if providers[provider]?.isEnabled ?? false { act(.propertiesChanged(changed)) }
    }

    private mutating func unregister(_ call: RegistryCall, _ provider: ProviderID) {
        providers[provider]?.withdraw()
        withdrawFolders(of: provider, comesBack: providers[provider]?.keepsFolders ?? false)
        reply(call.token, .done)
        providerGone(provider, isFinal: true)
    }

    /// Forgets a provider's folders and what it reported about them.
    /// - Parameter comesBack: Whether it ends only for now, and will return with the same folders.
    mutating func withdrawFolders(of provider: ProviderID, comesBack: Bool = false) {
        let before = savedState
        let hadImages = !(providers[provider]?.images.isEmpty ?? true)
        providers[provider]?.withdrawFolders(comesBack: comesBack)
        if savedState != before { act(.persist) }
        if hadImages { act(.propertiesChanged(.badges)) }
        foldersDidChange()
    }
}

extension ProviderRegistration {
    /// Why a registration is invalid, apart from the id; nil if it is valid.
    fileprivate var refusal: Refusal? {
        guard services.count <= Limits.services else { return .tooManyServices }
        let paths = [object] + services.values
        guard paths.allSatisfy({ $0.utf8.count <= Limits.objectPath }) else { return .pathTooLong }
        let texts = [name] + (toolbarItem.map { [$0.name, $0.tooltip] } ?? []) + services.keys
        guard texts.allSatisfy({ $0.isWithin(Limits.providerText) }) else { return .textTooLong }
        let icons = [icon] + (toolbarItem.map { [$0.icon] } ?? [])
        return icons.first { !$0.isIconName }.map { .iconIsPath($0) }
    }
}
