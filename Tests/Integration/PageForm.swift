import Foundation
import StoreModel
import Testing

/// The form of a page that sends something to the server.
struct PageForm {
    let action: String
    let fields: [(name: String, value: String)]

    init(action: String, fields: [(name: String, value: String)]) { (self.action, self.fields) = (action, fields) }

    /// Reads the first form in a page's content that sends something.
    init(_ page: String) throws {
        let content = page[try #require(page.firstRange(of: "<main")).lowerBound...]
        let form = try #require(content.firstMatch(of: /<form[^>]*method="post" action="([^"]*)">(.*?)<\/form>/))
        action = String(form.1)
        fields = form.2.matches(of: /name="([^"]*)" value="([^"]*)"/).map { (String($0.1), String($0.2)) }
    }

    /// The fields as the body of a request.
    var body: String {
        fields.map { "\($0.name)=\(PathSegment.encode($0.value))" }.joined(separator: "&")
    }
}
