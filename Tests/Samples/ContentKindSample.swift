import StoreLibrary
import StoreModel
import StoreSystem

private func contentKindSample() {
    // sample
    struct SoundKind: ContentKind {
        let kind = ProductKind(rawValue: "sound")
        let folderExtension = "sounds"

        func check(_ pack: Directory, cancellation: CancellationFlag) throws {
            _ = try PackInformation.read(from: pack)
        }
    }
    // end
}
