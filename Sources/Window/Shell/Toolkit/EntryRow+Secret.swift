internal import CGtk4
internal import Glibc
internal import Secrets

extension EntryRow {
    /// What was typed into a row for passwords, which GTK keeps in memory that is not swapped; nil for nothing.
    ///
    /// It is copied from there, and is in no string.
    var secret: SecretBytes? {
        guard let text = gtk_editable_get_text(opaque), text[0] != 0 else { return nil }
        let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
        return try? SecretBytes(capacity: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }
}
