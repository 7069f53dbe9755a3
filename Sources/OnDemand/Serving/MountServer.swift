internal import CFuse
internal import Glibc
internal import Support
internal import SystemPackage

/// The threads that read the kernel's requests, and who answers them.
final class MountServer: Sendable {
    /// More gain nothing: who waits for contents needs none.
    private static let threads = 4

    private let device: KernelDevice
    private let tree: BackingTree
    private let doorkeeper: Doorkeeper
    private let names: NameService
    private let items: ItemService
    private let files: FileService
    private let directories: DirectoryService

    init(_ device: KernelDevice, _ tree: BackingTree, _ link: WorkerLink, _ doorkeeper: Doorkeeper) {
        self.device = device
        self.tree = tree
        self.doorkeeper = doorkeeper
        names = NameService(tree: tree, device: device, doorkeeper: doorkeeper)
        items = ItemService(tree: tree, device: device, link: link)
        files = FileService(device: device, doorkeeper: doorkeeper)
        directories = DirectoryService(tree: tree, device: device)
    }

    /// Starts the threads, which tell why they end.
    func start(_ onEnd: @escaping @Sendable (KernelDevice.End) -> Void) throws(Errno) {
        for number in 0..<Self.threads {
            try DetachedThread.start("kernel \(number)") {
                // What one makes for a program has its mask.
                guard cfuse_own_mask() == 0 else { return onEnd(.failed(Errno(rawValue: errno))) }
                do throws(KernelDevice.End) { try self.serve() } catch { onEnd(error) }
            }
        }
    }

    private func serve() throws(KernelDevice.End) -> Never {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: KernelDevice.bufferSize, alignment: 4_096)
        defer { buffer.deallocate() }
        while true {
            let count = try device.next(into: buffer)
            guard var request = KernelRequest(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                throw .failed(.protocolError)
            }
            do throws(Errno) { try handle(&request, buffer) } catch { device.refuse(request.unique, error) }
        }
    }

    private func handle(_ request: inout KernelRequest, _ buffer: UnsafeMutableRawBufferPointer) throws(Errno) {
        guard let operation = KernelOperation(rawValue: request.header.opcode) else { throw .noFunction }
        switch operation {
        case .initialize: try initialize(&request)
        case .destroy: device.confirm(request.unique)
        case .interrupt: doorkeeper.interrupted(try request.part(fuse_interrupt_in.self).unique)
        case .forget: tree.forget(request.node, try request.part(fuse_forget_in.self).nlookup)
        case .forgetSeveral: try forgetSeveral(&request)
        case .control: throw .inappropriateIOCTLForDevice
        case .lookUp: try names.lookUp(&request)
        case .makeDirectory: try names.makeDirectory(&request)
        case .makeNode: try names.makeNode(&request)
        case .makeLink: try names.makeLink(&request)
        case .create: try names.create(&request)
        case .createNameless: try names.createNameless(&request)
        case .removeFile: try names.remove(&request, isDirectory: false)
        case .removeDirectory: try names.remove(&request, isDirectory: true)
        case .rename: try names.rename(&request, hasFlags: false)
        case .renameWithFlags: try names.rename(&request, hasFlags: true)
        case .attributes: try items.attributes(&request)
        case .allAttributes: try items.allAttributes(&request)
        case .readLink: try items.readLink(&request)
        case .fileSystem: try items.fileSystem(&request)
        case .extended: try items.extended(&request)
        case .listExtended: try items.listExtended(&request)
        case .setExtended: try items.setExtended(&request)
        case .removeExtended: try items.removeExtended(&request)
        case .setAttributes: arrive(request, .change(try ItemService.change(&request)))
        case .open: arrive(request, .open(flags: Int32(bitPattern: try request.part(fuse_open_in.self).flags)))
        case .link: try link(&request)
        case .read: try files.read(&request, buffer)
        case .write: try files.write(&request)
        case .close: try files.close(&request)
        case .synchronize, .synchronizeDirectory: try files.synchronize(&request)
        case .allocate: try files.allocate(&request)
        case .seek: try files.seek(&request)
        case .copyRange: try files.copyRange(&request)
        case .openDirectory: try directories.open(&request)
        case .closeDirectory: try directories.close(&request)
        case .readDirectory: try directories.read(&request, hasAttributes: false, buffer)
        case .readDirectoryPlus: try directories.read(&request, hasAttributes: true, buffer)
        }
    }

    private func arrive(_ request: KernelRequest, _ purpose: Arrival.Purpose, at node: NodeNumber? = nil) {
        doorkeeper.arrive(
            Arrival(request: request.unique, node: node ?? request.node, thread: request.thread, purpose: purpose))
    }

    private func link(_ request: inout KernelRequest) throws(Errno) {
        let node = NodeNumber(rawValue: try request.part(fuse_link_in.self).oldnodeid)
        arrive(request, .link(NodeTree.Spot(parent: request.node, name: try request.name())), at: node)
    }

    private func forgetSeveral(_ request: inout KernelRequest) throws(Errno) {
        // Nobody waits for an answer, also not for that it is wrong.
        guard let asked = try? request.part(fuse_batch_forget_in.self) else { return }
        for _ in 0..<asked.count {
            guard let one = try? request.part(fuse_forget_one.self) else { return }
            tree.forget(NodeNumber(rawValue: one.nodeid), one.nlookup)
        }
    }

    private func initialize(_ request: inout KernelRequest) throws(Errno) {
        let asked = request.lastPart(fuse_init_in())
        guard let answer = KernelSession.answer(to: asked) else {
            log(.error, "The kernel is too old for folders with contents on demand; 5.4 is needed.")
            throw .protocolError
        }
        device.answer(request.unique, answer)
    }
}
