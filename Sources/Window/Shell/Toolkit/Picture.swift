internal import CGtk4
internal import RoundelBus
internal import Support
internal import SystemPackage

/// A small preview of a picture in a file.
final class Picture: Widget {
    private var shown: ItemURI?

    /// The preview's largest width and height in pixels.
    private nonisolated static let size: Int32 = 240

    /// Shows the picture in a file as soon as it is read; nothing if it cannot be, or for nil.
    func show(_ item: ItemURI?) {
        guard item != shown else { return }
        shown = item
        isVisible = false
        guard let item else { return }
        Task { [weak self] in
            guard let picture = await Self.read(item), let self, shown == item else { return }
            let texture = ObjectReference(owned: UnsafeMutableRawPointer(gdk_texture_new_for_pixbuf(picture.pixels)))
            gtk_picture_set_paintable(opaque, texture.opaque)
            isVisible = true
        }
    }

    /// The pixels of a picture, which belong to one thread at a time.
    private struct Pixels: @unchecked Sendable {
        let pixels: OpaquePointer
    }

    /// A file may be on a disk that does not answer, so that it is read on a thread of its own.
    private static func read(_ item: ItemURI) async -> Pixels? {
        await withCheckedContinuation { continuation in
            do {
                try DetachedThread.start("preview") {
                    let path = item.filePath.string
                    continuation.resume(
                        returning: gdk_pixbuf_new_from_file_at_scale(path, size, size, 1, nil).map {
                            Pixels(pixels: $0)
                        })
                }
            } catch { continuation.resume(returning: nil) }
        }
    }
}
