import type { Codec } from './native-codec.ts';

/** Codecs that only one runtime has, fastest first. Browsers have none; `package.json` names the file for Node. */
export const runtimeCodecs: readonly Codec[] = [];
