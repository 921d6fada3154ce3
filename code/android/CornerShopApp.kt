package example.cornershop

import android.app.Application
import example.ferry.Environment
import example.ferry.Ferry
import example.ferry.FerryOptions
import example.ferry.LogLevel

class CornerShopApp : Application() {
    override fun onCreate() {
        super.onCreate()
        val options = FerryOptions(
            apiKey = "YOUR_KEY",
            environment = Environment.DEVELOPMENT,
            logLevel = LogLevel.VERBOSE,
            sessionTimeout = 1800,
            uploadInterval = 10,
        )
        Ferry.instance.start(this, options)
    }
}
