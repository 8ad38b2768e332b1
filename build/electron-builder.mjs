// What electron-builder reads (--config). Runs on the toolchain's Node, which reads TypeScript.
import { packageConfig } from './package/config.ts';

export default packageConfig(process.env);
