// #region log-in
import { ferry } from './ferry.js';
import { logIn } from './account.js';

const form = document.querySelector('#log-in');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const customer = await logIn(new FormData(form));

  await ferry.identify({
    customerId: customer.id,
    email: customer.email,
  });
  ferry.track('Logged in');
});
// #endregion log-in

// #region preferences
export function savePreferences(preferences) {
  ferry.user.setAttributes({
    favouriteShelf: preferences.shelf,
    newsletter: preferences.newsletter,
  });
}
// #endregion preferences

// #region log-out
export async function logOut() {
  ferry.track('Logged out');
  await ferry.flush();
  ferry.reset();
}
// #endregion log-out
