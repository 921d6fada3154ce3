package example.cornershop

import android.app.Application
import example.ferry.Environment
import example.ferry.Ferry
import example.ferry.FerryOptions
import example.ferry.FerryPlan
import example.ferry.LogLevel

class CornerShopApp : Application() {
    override fun onCreate() {
        super.onCreate()
        // #region options
        val options = FerryOptions(
            apiKey = "YOUR_KEY",
            environment = Environment.DEVELOPMENT,
            logLevel = LogLevel.VERBOSE,
            sessionTimeout = 1800,
            uploadInterval = 10,
            plan = FerryPlan(id = "corner_shop", version = 1),
        )
        Ferry.instance.start(this, options)
        // #endregion options
    }
}
