extension StoreResults.Card: TemplateValue {
    func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "store": store
        case "name": self.name
        case "initial": initial
        case "href": href
        case "icon": orFalse(icon)
        case "publisher": orFalse(publisher)
        case "kindName": kindName
        case "price": price
        case "size": orFalse(size)
        case "isUnsigned": isUnsigned
        case "defect": orFalse(defect)
        case "state": orFalse(state)
        case "buttons": buttons
        case "download": orFalse(download)
        case "failure": orFalse(failure)
        default: nil
        }
    }
}

extension ProductActions.Button: TemplateValue {
    func child(named name: String) -> Any? {
        switch name {
        case "label": label
        case "product": product
        case "action": action
        case "method": method
        case "isMain": isMain
        case "opensDialog": opensDialog
        case "announcement": announcement
        case "fields": fields.map(TemplateField.init)
        default: nil
        }
    }
}

extension ProductActions.Download: TemplateValue {
    func child(named name: String) -> Any? {
        switch name {
        case "fraction": orFalse(fraction)
        case "text": text
        default: nil
        }
    }
}

/// A field of a form as a template finds it.
struct TemplateField: TemplateValue {
    let field: PageField

    func child(named name: String) -> Any? {
        switch name {
        case "name": field.name
        case "value": field.value
        default: nil
        }
    }
}

/// Returns an optional value, or `false` if there is none.
func orFalse(_ value: (some Any)?) -> Any {
    if let value { value } else { false }
}
