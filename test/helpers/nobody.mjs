import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

// Preloaded into the program by one test: a user without an entry in the system's list has no name, and asking for it throws.
os.userInfo = () => {
  throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
};
syncBuiltinESMExports();
