import Ferry
import SwiftUI

@main
struct CornerShopApp: App {
    init() {
        var options = FerryOptions(apiKey: "YOUR_KEY")
        options.environment = .development
        options.logLevel = .verbose
        options.sessionTimeout = 1800
        options.uploadInterval = 10
        Ferry.shared.start(options)
    }

    var body: some Scene {
        WindowGroup {
            ShopView()
        }
    }
}
