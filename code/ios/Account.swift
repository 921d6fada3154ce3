// #region log-in
import Combine
import Ferry

@MainActor
final class AccountModel: ObservableObject {
    @Published private(set) var customer: Customer?
    private let service = AccountService()

    func logIn(email: String, password: String) async throws {
        let customer = try await service.logIn(email: email, password: password)
        self.customer = customer

        try await Ferry.shared.identify(
            FerryIdentity(customerID: customer.id, email: customer.email)
        )
        Ferry.shared.track("Logged in")
    }
}
// #endregion log-in

// #region preferences
func savePreferences(_ preferences: Preferences) {
    Ferry.shared.user.setAttributes([
        "favouriteShelf": preferences.shelf,
        "newsletter": preferences.newsletter
    ])
}
// #endregion preferences

// #region log-out
func logOut() async {
    Ferry.shared.track("Logged out")
    await Ferry.shared.flush()
    Ferry.shared.reset()
}
// #endregion log-out
