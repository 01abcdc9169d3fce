import type { Codec } from './native-codec.ts';

/** Codecs of one runtime only, the fastest first: in browsers there are none. `package.json` names the file for Node. */
export const runtimeCodecs: readonly Codec[] = [];
