import StoreModel
import StorePublishing

private func storehouseSample() throws {
    // sample
    _ = try Storehouse.create(at: "/srv/example", name: "Example")
    let store = try Storehouse(path: "/srv/example")
    let results = try store.add(["/home/me/cups.stickers"], time: PublicationTime.now())
    for result in results {
        if case .failure(let error) = result.result { print("error: \(error.message)") }
    }
    let published = try store.publish()
    print("\(published.products) products are served from \(store.publicPath)")
    // end
}
