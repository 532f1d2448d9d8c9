import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Web: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Open the store in a browser",
        discussion: """
            Starts to serve web pages on this machine, also after restarts of the daemon, and opens a link that logs one \
            browser in. The link works once, for two minutes.

            Examples:
              storectl web
              storectl web --no-open
              storectl web open storectl:install/org.example.cups
              storectl web --off
              storectl web tokens create tray --scope read,install
            """,
        subcommands: [Open.self, Tokens.self], defaultSubcommand: Open.self)

    struct Open: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open the store in a browser",
            discussion: """
                Prints the link if no browser can be opened, or with --no-open.

                With a link 'storectl:install/ID' of a web page or a message, opens the page of that product, on which you \
                decide whether to install it. The link installs nothing by itself, and changes neither stores nor trust. \
                With '?store=FINGERPRINT', the product is looked for in the signed store that was added with that root.

                Examples:
                  storectl web open --no-open
                  storectl web open storectl:install/org.example.cups
                """)

        @Argument(help: ArgumentHelp("'storectl:' link to a product, whose page is opened", valueName: "link"))
        var link: String?

        @Flag(help: "Print the link without opening a browser")
        var noOpen = false

        @Flag(help: "Stop serving web pages, log all browsers out, and use another host name next time")
        var off = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            if off, link != nil { throw ValidationError(EnglishText.filled("--off excludes a link")) }
        }

        func run(_ console: Console) async throws -> ExitCode {
            // An invalid link does not even start the daemon.
            let product = try link.map { try InstallLink(parsing: $0) }
            let client = try client()
            if off {
                let web = try await client.stopWeb()
                if console.json { console.document(web) }
                if web.enabled {
                    console.warnOfEnvironment(try await client.setting("web.enabled"))
                    return .failed
                }
                if !console.json { console.confirmation(console.messages.text("Web pages are off.")) }
                return .done
            }
            let web = try await client.startWeb(opening: product)
            if console.json {
                console.document(web)
                return .done
            }
            guard let link = web.link else { return .failed }
            if !noOpen, BrowserLauncher.open(link) {
                console.confirmation(
                    product.map {
                        console.messages.text(
                            "Opened the page of '{product}' in your browser.", ["product": $0.productIdentifier])
                    } ?? console.messages.text("Opened the store in your browser."))
            } else {
                console.line(link)
            }
            return .done
        }
    }

    struct Tokens: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tokens", abstract: "Manage access tokens of programs",
            discussion: """
                A program sends its token with each request, as 'Authorization: Bearer TOKEN', to the address of the web \
                pages, which 'storectl web' switches on, and which 'storectl web --no-open --json' prints as 'address'.

                Examples:
                  storectl web tokens create tray --scope read,install
                  storectl web tokens revoke tray
                """,
            subcommands: [ListTokens.self, Create.self, RevokeToken.self], defaultSubcommand: ListTokens.self)
    }

    struct ListTokens: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List access tokens",
            discussion: "Examples:\n  storectl web tokens list")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let tokens = try await client().webTokens()
            if console.json {
                console.document(WebTokenList(tokens: tokens))
                return .done
            }
            guard !tokens.isEmpty else {
                console.note(console.messages.text("No access tokens."))
                return .done
            }
            var table = Table([
                .identifier(title: console.messages.text("NAME")), .init(title: console.messages.text("SCOPES")),
                .init(title: console.messages.text("CREATED"), omission: 0),
            ])
            for token in tokens {
                table.add(
                    token.name, token.scopes.map(\.rawValue).joined(separator: ","), shortTime(token.createdAt))
            }
            console.table(table)
            return .done
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create an access token, and print it",
            discussion: """
                The token is printed once and can't be shown again.

                Examples:
                  storectl web tokens create tray --scope read,install
                """)

        @Argument(help: ArgumentHelp("Name of the token", valueName: "name"))
        var name: String

        @Option(
            help: ArgumentHelp(
                "What it permits: read, install (also use, update and remove), settings (also stores and purchases)",
                valueName: "scopes"))
        var scope = "read"

        @OptionGroup var common: CommonOptions

        private var scopes: [WebScope] {
            get throws {
                try scope.split(separator: ",").map { word in
                    guard let scope = WebScope(rawValue: String(word)) else {
                        throw ValidationError(
                            EnglishText.filled(
                                "unknown scope '{scope}'; choose from read, install and settings",
                                ["scope": "\(word)"]))
                    }
                    return scope
                }
            }
        }

        func validate() throws {
            try Web.requireTokenName(name)
            if try scopes.isEmpty {
                throw ValidationError(EnglishText.filled("--scope needs at least one of read, install and settings"))
            }
        }

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let created = try await client.createWebToken(name, scopes: scopes)
            guard !console.json else {
                console.document(created)
                return .done
            }
            console.line(created.secret)
            if let address = try await client.web().address {
                console.note(
                    console.messages.text(
                        "Programs send it as 'Authorization: Bearer TOKEN' to '{address}'.",
                        ["address": "\(address)v1/…"]))
            } else {
                console.hint(
                    console.messages.text(
                        "switch the web pages on with 'storectl web': programs use the token at their address"))
            }
            return .done
        }
    }

    struct RevokeToken: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke an access token",
            discussion: "Examples:\n  storectl web tokens revoke tray")

        @Argument(help: ArgumentHelp("Name of the token", valueName: "name"))
        var name: String

        @OptionGroup var common: CommonOptions

        func validate() throws { try Web.requireTokenName(name) }

        func run(_ console: Console) async throws -> ExitCode {
            try await client().revokeWebToken(name)
            if console.json {
                console.document(["revoked": name])
            } else {
                console.confirmation(
                    console.messages.text("Revoked the access token '{name}'.", ["name": name]))
            }
            return .done
        }
    }

    /// Checks the name of an access token on the command line.
    private static func requireTokenName(_ name: String) throws {
        if name.isEmpty {
            throw ValidationError(
                EnglishText.filled("the name of an access token must not be empty; use one such as 'tray'"))
        }
    }
}
