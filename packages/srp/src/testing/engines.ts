import { bigIntEngine } from '../bigint-engine.ts';
import { openSslEngine } from '../openssl.ts';
import type { SrpEngine } from '../srp-engine.ts';

/** Every engine. All must pass the same tests. */
export const testEngines: readonly SrpEngine[] = [bigIntEngine, openSslEngine];
