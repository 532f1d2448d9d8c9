import Settings

print(try await installThroughDaemon(Settings()))
