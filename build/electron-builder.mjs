// The file that electron-builder loads (--config). It runs on the toolchain's Node, which can import TypeScript.
import { packageConfig } from './package/config.ts';

export default packageConfig(process.env);
