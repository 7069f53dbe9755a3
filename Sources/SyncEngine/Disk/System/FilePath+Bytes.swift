import Glibc
import SyncCore
import SystemPackage

extension FilePath {
    /// The last component as a name; nil for the root of the file system.
    var lastName: EntryName? {
        lastComponent.flatMap { component in
            EntryName(component.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
        }
    }

    /// The bytes of the path.
    var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
}
