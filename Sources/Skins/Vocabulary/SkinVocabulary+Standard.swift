extension SkinVocabulary {
    /// The vocabulary of skins with the built-in components, operations and object types.
    public static let standard: SkinVocabulary = {
        var standard = SkinVocabulary()
        standard.insert(FloatType())
        standard.insert(IntegerType())
        standard.insert(StringType())
        standard.insert(ColorType())
        standard.insert(PointType())
        standard.insert(SizeType())
        standard.insert(RectType())
        standard.insert(FontType())
        standard.insert(ImageType())
        standard.insert(ArrayType())
        for component in components { standard.insert(component) }
        return standard
    }()

    /// The built-in component types of skins; each follows the component that it inherits from.
    private static let components: [SkinComponent] = [
        SkinComponent(
            "uiview",
            [
                SkinOperation("frame", SkinParameter("rect", "rect", isLength: true)),
                color("backgroundColor"),
                SkinOperation("backgroundImage", SkinParameter("image", "image")),
                SkinOperation("cornerRadius", SkinParameter("radius", "float", isLength: true)),
                color("borderColor"),
                SkinOperation("borderWidth", SkinParameter("width", "float", isLength: true)),
                SkinOperation("opacity", SkinParameter("value", "float")),
                SkinOperation(
                    "padding",
                    SkinParameter("insets", "array", isLength: true, items: .init(type: "float", count: 4))),
            ]),
        SkinComponent(
            "uilabel", inherits: "uiview",
            [
                color("textColor"),
                SkinOperation("font", SkinParameter("font", "font")),
                SkinOperation("textAlignment", SkinParameter("value", "string")),
                SkinOperation("lineHeight", SkinParameter("value", "float")),
            ]),
        SkinComponent("uitextview", inherits: "uilabel", [color("placeholderColor")]),
        SkinComponent("uitextfield", inherits: "uilabel", [color("placeholderColor")]),
        SkinComponent(
            "uibutton", inherits: "uilabel",
            [
                SkinOperation("image", SkinParameter("image", "image")),
                color("highlightedColor"), color("disabledColor"),
            ]),
        SkinComponent(
            "uiimageview", inherits: "uiview",
            [SkinOperation("image", SkinParameter("image", "image")), color("tintColor")]),
        SkinComponent("uiswitch", inherits: "uiview", [color("onColor"), color("thumbColor")]),
        SkinComponent(
            "uislider", inherits: "uiview",
            [color("minimumTrackColor"), color("maximumTrackColor"), color("thumbColor")]),
        SkinComponent(
            "uinavigationbar", inherits: "uiview",
            [
                color("titleColor"), SkinOperation("titleFont", SkinParameter("font", "font")), color("tintColor"),
            ]),
    ]

    private static func color(_ name: String) -> SkinOperation { SkinOperation(name, SkinParameter("color", "color")) }
}
