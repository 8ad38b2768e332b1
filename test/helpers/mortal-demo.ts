import { existsSync } from 'node:fs';
import '../../electron/demo-service/worker.ts';

// The demo service in a thread that ends at once when a file of this name appears, as if it had crashed.
const sign = process.env.MORTAL_DEMO_SIGN ?? '';
setInterval(() => {
  if (sign !== '' && existsSync(sign)) process.exit(1);
}, 20).unref();
