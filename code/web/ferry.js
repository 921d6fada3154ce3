import { createFerry } from '@ferry-example/web';

export const ferry = createFerry({
  apiKey: 'YOUR_KEY',
  environment: 'development',
  logLevel: 'verbose',
  sessionTimeout: 1800,
  uploadInterval: 10,
});

ferry.start();
