import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

// One test preloads this into the program: for a user without an entry in the system's list, Node throws instead of returning a name.
os.userInfo = () => {
  throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
};
syncBuiltinESMExports();
