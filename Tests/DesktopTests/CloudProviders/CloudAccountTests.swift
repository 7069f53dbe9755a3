import BadgeService
import DBus
import RoundelBus
import Testing

@testable import Desktop

@Suite("A folder as an account of the sidebar")
struct CloudAccountTests {
    private static func account(
        _ uri: String, label: String = "", icon: String = "", status: FolderStatus = .unknown
    ) throws -> CloudAccount {
        let provider = try #require(ProviderID("sample"))
        return CloudAccount(
            HostedFolder(
                folder: try ItemURI(uri), provider: provider, label: label, icon: icon, status: status))
    }

    @Test(
        "What stands after file:// leads to the folder, whatever its name",
        arguments: [
            ("file:///home/a/My%20Cloud", "/home/a/My Cloud"), ("file:///home/a/Caf%C3%A9", "/home/a/Café"),
            ("file:///home/a/100%25", "/home/a/100%25"), ("file:///home/a/%23b%3F", "/home/a/%23b%3F"),
            ("file:///home/a/%FF", "/home/a/%FF"), ("file:///home/a/x%0Ay", "/home/a/x%0Ay"),
        ])
    func paths(_ uri: String, _ path: String) throws {
        #expect(try Self.account(uri).path == path)
    }

    @Test("State and text of the folder are those of the row")
    func status() throws {
        let states: [(FolderState, CloudAccount.Status)] = [
            (.unknown, .idle), (.idle, .idle), (.syncing, .syncing), (.attention, .error), (.error, .error),
            (.paused, .idle),
        ]
        for (state, status) in states {
            let account = try Self.account("file:///a", status: FolderStatus(state: state, text: "Words"))
            #expect(account.status == status && account.details == "Words")
        }
        #expect(try Self.account("file:///a/b", label: "My Files").name == "My Files")
    }

    @Test("An icon is a name of the theme with one that is always there behind it; others are not handed on")
    func icons() throws {
        #expect(
            try Self.account("file:///a", icon: "folder-sample").icon == ". GThemedIcon folder-sample folder-symbolic")
        for icon in ["", "a b", "/etc/x.svg", ". GThemedIcon x", "a\n"] {
            #expect(
                try Self.account("file:///a", icon: icon).icon == ". GThemedIcon org.roundel.Roundel folder-symbolic")
        }
    }

    @Test("Folders have object paths of their own, the same each time")
    func identifiers() throws {
        let uris = try (0..<1000).map { try ItemURI("file:///home/folder%20\($0)") }
        let identifiers = uris.map { CloudAccount.identifier(of: $0) }
        #expect(Set(identifiers).count == 1000)
        #expect(identifiers == uris.map { CloudAccount.identifier(of: $0) })
        for identifier in identifiers { _ = try ObjectPath.root.appending(identifier) }
    }

    @Test("What changed is told and nothing else")
    func differences() throws {
        let before = try Self.account("file:///a", status: FolderStatus(state: .idle, text: "Up to date"))
        let after = try Self.account("file:///a", label: "B", status: FolderStatus(state: .syncing, text: "Syncing"))
        #expect(before.differences(from: before).isEmpty)
        #expect(after.differences(from: before) == ["Name", "Status", "StatusDetails"])
    }

    @Test("The click's token goes on; an id of X11 gives its time as well")
    func platformData() {
        #expect(ActivationOptions(platformData: [:]) == ActivationOptions())
        #expect(
            ActivationOptions(platformData: ["activation-token": .string("w")])
                == ActivationOptions(activationToken: "w"))
        #expect(
            ActivationOptions(platformData: ["desktop-startup-id": .string("host/nautilus/1_TIME2-a_TIME4242")])
                == ActivationOptions(activationToken: "host/nautilus/1_TIME2-a_TIME4242", timestamp: 4242))
        #expect(
            ActivationOptions(platformData: ["desktop-startup-id": .string("x_TIME"), "later": .bool(true)])
                == ActivationOptions(activationToken: "x_TIME"))
    }
}

@Suite("Who follows a menu")
struct MenuSubscriptionTests {
    @Test("Each beginning is counted; the end of one who did not begin is none; leaving ends all")
    func counting() {
        var subscriptions = MenuSubscriptions()
        subscriptions.startMenu("a")
        subscriptions.startMenu("a")
        subscriptions.endMenu("b")
        subscriptions.endMenu("a")
        #expect(subscriptions.hasMenus && subscriptions.contains("a") && !subscriptions.contains("b"))
        subscriptions.endMenu("a")
        subscriptions.endMenu("a")
        #expect(!subscriptions.hasMenus && subscriptions.isEmpty)
        subscriptions.followActions("c")
        subscriptions.startMenu("c")
        #expect(!subscriptions.isEmpty && subscriptions.hasMenus)
        subscriptions.forget("c")
        #expect(subscriptions.isEmpty)
    }
}
