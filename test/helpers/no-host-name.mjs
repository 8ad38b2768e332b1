import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

// One test preloads this into the program, whose start then fails: Node throws if the system cannot say its own name.
os.hostname = () => {
  throw Object.assign(new Error('uv_os_gethostname returned EINVAL'), { code: 'ERR_SYSTEM_ERROR' });
};
syncBuiltinESMExports();
