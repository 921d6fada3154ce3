import { createFerry } from '@ferry-example/web';

// #region options
export const ferry = createFerry({
  apiKey: 'YOUR_KEY',
  environment: 'development',
  logLevel: 'verbose',
  sessionTimeout: 1800,
  uploadInterval: 10,
  plan: { id: 'corner_shop', version: 1 },
});
// #endregion options

ferry.start();
