import DBus
import Glibc
import RoundelBus
import SystemPackage

// sample-host PATH…                    shows the badges of items, and each change of them
// sample-host --choose LABEL PATH…     chooses an item of the menu that a file manager shows for them

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Shows the badges of items, as a window of a file manager does, until the session ends.
func show(_ items: [ItemURI], _ host: HostProxy) async throws {
    var watch = try BadgeWatch(items, host: host)
    try await watch.follow(within: .seconds(1)) { changed, watch in
        // The first call is for all items.
        for item in changed.isEmpty ? items : changed {
            let known = watch.badge(of: item)
            let label = watch.images.first { $0.badge == known.badge }?.label ?? "nothing to show"
            say("\(item.filePath): \(label)" + (known.percent.map { ", \($0) %" } ?? ""))
        }
    }
}

/// Chooses the item with this label in the menu for a selection, and says how that ended.
func choose(_ label: String, for items: [ItemURI], _ host: HostProxy) async throws {
    let menu = try await host.completeMenu(.items, target: items.first?.parent, selection: items)
    guard let item = menu.items.first(where: { $0.label == label && $0.enabled }) else {
        return say("No such item; there are: \(menu.items.map(\.label).joined(separator: ", "))")
    }
    let end = try await host.perform(item.id, of: menu, options: ActivationOptions(showsResult: true))
    switch end.outcome {
    case .done: say(end.message.isEmpty ? "Done." : end.message)
    case .cancelled: say("Cancelled.")
    case .failed: say("Failed: \(end.message)")
    }
}

do {
    let host = try await HostProxy.open()
    var arguments = CommandLine.arguments.dropFirst()
    let label = arguments.first == "--choose" ? arguments.dropFirst().first : nil
    if label != nil { arguments = arguments.dropFirst(2) }
    let items = try arguments.map { try ItemURI(path: FilePath($0)) }
    if let label { try await choose(label, for: items, host) } else { try await show(items, host) }
} catch let error as DBusError {
    say(error.message)
    exit(1)
} catch let error as ItemURIError {
    say("Not the path of an item: \(error.reason).")
    exit(1)
}
