/// Emoticons, such as `:-)`, and the emoji that they stand for.
public struct EmoticonTable: Sendable {
    private var byFirst: [Unicode.Scalar: [(text: [Unicode.Scalar], emoji: String)]] = [:]

    /// Creates a table from emoticons and the emoji that each stands for; empty emoticons are left out.
    public init(_ emoticons: [String: String]) {
        for (text, emoji) in emoticons {
            let scalars = Array(text.unicodeScalars)
            guard let first = scalars.first else { continue }
            byFirst[first, default: []].append((scalars, emoji))
        }
        for first in byFirst.keys {
            byFirst[first]?.sort { ($1.text.count, String($0.emoji)) < ($0.text.count, String($1.emoji)) }
        }
    }

    /// Returns the emoticons that begin with a character, the longest first.
    func candidates(beginningWith scalar: Unicode.Scalar) -> [(text: [Unicode.Scalar], emoji: String)] {
        byFirst[scalar] ?? []
    }

    /// The emoticons that chat programs commonly replace.
    public static let standard: EmoticonTable = {
        let faces: [(emoji: String, texts: String)] = [
            ("🙂", ":) :-) (: (-: =) :] :-]"), ("😃", ":D :-D =D"), ("😆", "XD xD X-D x-D"), ("😉", ";) ;-) ;]"),
            ("😛", ":P :-P :p :-p =P"), ("😜", ";P ;-P ;p ;-p"), ("🙁", ":( :-( ): )-: =( :[ :-["),
            ("😢", ":'( :'-( ;("), ("😂", ":') :'-)"), ("😮", ":O :-O :o :-o"), ("😐", ":| :-|"),
            ("😕", ":/ :-/ :\\ :-\\"), ("😖", ":S :-S :s :-s"), ("😘", ":* :-* ;*"), ("😎", "B) B-) 8-)"),
            ("😇", "O:) O:-) 0:) 0:-)"), ("😈", ">:) >:-) }:) }:-)"), ("😠", ">:( >:-("), ("😡", ":@ :-@"),
            ("😭", "T_T T.T ;_;"), ("😑", "-_- -.-"), ("😶", ":x :-x :X :-X :# :-#"), ("😄", "^^ ^_^ ^-^"),
            ("😳", ":$ :-$ O_O o_o O_o o_O"), ("😺", ":3"), ("❤️", "<3"), ("💔", "</3 <\\3"), ("👋", "o/ \\o"),
            ("🙌", "\\o/"), ("🐟", "<>< ><>"),
        ]
        var table: [String: String] = [:]
        for face in faces { for text in face.texts.split(separator: " ") { table[String(text)] = face.emoji } }
        return EmoticonTable(table)
    }()
}
