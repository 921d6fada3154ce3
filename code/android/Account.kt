package example.cornershop

// #region log-in
import androidx.lifecycle.ViewModel
import androidx.lifecycle.viewModelScope
import example.ferry.Ferry
import example.ferry.FerryIdentity
import kotlinx.coroutines.launch

class AccountViewModel(private val service: AccountService) : ViewModel() {
    fun logIn(email: String, password: String) = viewModelScope.launch {
        val customer = service.logIn(email, password)

        Ferry.instance.identify(
            FerryIdentity(customerId = customer.id, email = customer.email),
        )
        Ferry.instance.track("Logged in")
    }
}
// #endregion log-in

// #region preferences
fun savePreferences(preferences: Preferences) {
    Ferry.instance.user.setAttributes(
        mapOf(
            "favouriteShelf" to preferences.shelf,
            "newsletter" to preferences.newsletter,
        ),
    )
}
// #endregion preferences

// #region log-out
suspend fun logOut() {
    Ferry.instance.track("Logged out")
    Ferry.instance.flush()
    Ferry.instance.reset()
}
// #endregion log-out
