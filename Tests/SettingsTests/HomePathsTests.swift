import FoundationEssentials
import StoreModel
import StoreSystem
import Testing

@Suite struct HomePathsTests {
    private func facts(
        _ environment: [String: String] = ["HOME": "/home/ana"], owners: [String: UInt32] = [:],
        passwordHome: String? = "/home/entry", programs: String? = nil
    ) -> HomePaths.Facts {
        HomePaths.Facts(
            environment: environment, user: 1000, passwordHome: passwordHome, currentFolder: "/current/folder",
            programFolder: programs, folderOwners: owners)
    }

    @Test func `without variables all paths are under the home directory`() throws {
        let places = try HomePaths(facts())
        #expect(places.packs == "/home/ana/.local/share/storectl/packs")
        #expect(places.previous == "/home/ana/.local/share/storectl/previous")
        #expect(places.staging == "/home/ana/.local/share/storectl/staging")
        #expect(places.trash == "/home/ana/.local/share/storectl/trash")
        #expect(places.database == "/home/ana/.local/share/storectl/library.sqlite")
        #expect(places.lock == "/home/ana/.local/share/storectl/stored.lock")
        #expect(places.partial == "/home/ana/.cache/storectl/partial")
        #expect(places.userSettings == "/home/ana/.config/storectl/settings.json")
        #expect(places.systemSettings == "/etc/storectl/settings.json")
        #expect(places.preinstalled == ["/usr/local/share/storectl/packs", "/usr/share/storectl/packs"])
        #expect(places.home == nil)
    }

    @Test func `the XDG variables move each directory`() throws {
        let places = try HomePaths(
            facts([
                "XDG_DATA_HOME": "/d/", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/k", "XDG_RUNTIME_DIR": "/r",
                "XDG_DATA_DIRS": "/one:relative::/two//",
            ]))
        #expect(places.data == "/d/storectl")
        #expect(places.cache == "/c/storectl")
        #expect(places.config == "/k/storectl")
        #expect(places.socket == "/r/storectl/stored.sock")
        #expect(places.preinstalled == ["/one/storectl/packs", "/two/storectl/packs"])
    }

    @Test(arguments: [
        ("/opt/store/bin", ["/opt/store/bin/packs", "/opt/store/share/storectl/packs", "/x/storectl/packs"]),
        ("/copied", ["/copied/packs", "/share/storectl/packs", "/x/storectl/packs"]),
        ("/", ["/packs", "/share/storectl/packs", "/x/storectl/packs"]),
        ("/x/bin", ["/x/bin/packs", "/x/share/storectl/packs", "/x/storectl/packs"]),
        (
            "/src/.build-thread/x86_64-unknown-linux-gnu/debug",
            [
                "/src/.build-thread/x86_64-unknown-linux-gnu/debug/packs",
                "/src/.build-thread/x86_64-unknown-linux-gnu/share/storectl/packs", "/src/config/packs",
                "/x/storectl/packs",
            ]
        ),
    ])
    func `preinstalled packs are searched relative to the program, then in the system's directories`(
        programs: String, directories: [String]
    ) throws {
        let facts = facts(["HOME": "/home/ana", "XDG_DATA_DIRS": "/x"], programs: programs)
        #expect(try HomePaths(facts).preinstalled == directories)
    }

    @Test func `a directory of preinstalled packs that is found in two ways is searched once`() throws {
        #expect(
            try HomePaths(facts(programs: "/usr/bin")).preinstalled
                == ["/usr/bin/packs", "/usr/share/storectl/packs", "/usr/local/share/storectl/packs"])
    }

    @Test(arguments: ["", "relative", "./x", "~/x"])
    func `relative paths are ignored`(value: String) throws {
        let environment = [
            "HOME": "/home/ana", "XDG_DATA_HOME": value, "XDG_CACHE_HOME": value, "XDG_CONFIG_HOME": value,
            "XDG_RUNTIME_DIR": value,
        ]
        #expect(try HomePaths(facts(environment)) == HomePaths(facts()))
    }

    @Test func `without a runtime directory the socket is in a writable directory`() throws {
        let run = "/run/user/1000"
        #expect(try HomePaths(facts(owners: [run: 1000])).socket == run + "/storectl/stored.sock")
        // As for cron: nobody is logged in, or the directory belongs to another user.
        #expect(try HomePaths(facts()).socket == "/home/ana/.local/share/storectl/run/stored.sock")
        #expect(try HomePaths(facts(owners: [run: 0])).socket == "/home/ana/.local/share/storectl/run/stored.sock")
        // A directory of the environment is used unless it belongs to another user (`sudo -E`).
        let named = ["HOME": "/home/ana", "XDG_RUNTIME_DIR": "/named"]
        #expect(try HomePaths(facts(named)).run == "/named/storectl")
        #expect(try HomePaths(facts(named, owners: ["/named": 1000])).run == "/named/storectl")
        #expect(try HomePaths(facts(named, owners: ["/named": 5, run: 1000])).run == run + "/storectl")
    }

    @Test func `without HOME the password entry is used`() throws {
        for environment in [[:], ["HOME": ""], ["HOME": "relative"]] {
            #expect(try HomePaths(facts(environment)).data == "/home/entry/.local/share/storectl")
        }
        #expect {
            try HomePaths(facts([:], passwordHome: nil))
        } throws: { error in
            (error as? StoreError)?.code == .homeUnknown && (error as? StoreError)?.code.exitCode == .daemon
        }
        // The password entry is not read if no home directory is needed.
        let own = ["XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/k"]
        #expect(try HomePaths(facts(own, passwordHome: nil)).run == "/d/storectl/run")
        #expect(try HomePaths(facts(["STORECTL_HOME": "/s"], passwordHome: nil)).run == "/s/run")
    }

    @Test func `STORECTL_HOME puts all paths into one directory`() throws {
        let environment = ["HOME": "/home/ana", "STORECTL_HOME": "/s/", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "/r"]
        let places = try HomePaths(facts(environment))
        #expect(places.home == "/s")
        #expect(places.packs == "/s/data/packs")
        #expect(places.cache == "/s/cache")
        #expect(places.userSettings == "/s/config/settings.json")
        #expect(places.socket == "/s/run/stored.sock")
        // The argument takes precedence over the variable.
        #expect(try HomePaths(facts(environment), home: "/t").data == "/t/data")
        #expect(try HomePaths(facts(environment), home: "./t/./u//").data == "/current/folder/t/u/data")
        #expect(try HomePaths(facts(), home: "../t").data == "/current/folder/../t/data")
        #expect(try HomePaths(facts(), home: "/").data == "/data")
        #expect(try HomePaths(facts(["HOME": "/home/ana", "STORECTL_HOME": ""])) == HomePaths(facts()))
    }

    @Test func `the current process has paths`() throws {
        let facts = HomePaths.Facts.current()
        #expect(facts.currentFolder == FileManager.default.currentDirectoryPath)
        #expect(facts.programFolder?.hasPrefix("/") == true)
        #expect(try HomePaths.current(home: "/s").packs == "/s/data/packs")
    }

    @Test func `the password entry is read only if the environment names no home directory`() {
        for environment in [[:], ["HOME": ""], ["HOME": "ana"]] {
            #expect(HomePaths.Facts.current(environment: environment).passwordHome?.hasPrefix("/") == true)
        }
        #expect(HomePaths.Facts.current(environment: ["HOME": "/home/ana"]).passwordHome == nil)
    }
}
