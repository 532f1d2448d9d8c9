import FoundationEssentials
import GRDB
import StoreModel

extension Purchase {
    /// Reads a row of the table `purchases`; `nil` if a column has no value.
    init?(_ row: Row) {
        let columns = UntrustedRow(row: row)
        guard let productIdentifier = columns.text("productIdentifier"), let grantedAt = columns.date("grantedAt")
        else { return nil }
        self.init(productIdentifier: productIdentifier, grantedAt: grantedAt)
    }
}
