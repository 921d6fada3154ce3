import Ferry
import SwiftUI

@main
struct CornerShopApp: App {
    init() {
        // #region options
        var options = FerryOptions(apiKey: "YOUR_KEY")
        options.environment = .development
        options.logLevel = .verbose
        options.sessionTimeout = 1800
        options.uploadInterval = 10
        options.plan = FerryPlan(id: "corner_shop", version: 1)
        Ferry.shared.start(options)
        // #endregion options
    }

    var body: some Scene {
        WindowGroup {
            ShopView()
        }
    }
}
