import { bigIntEngine } from '../bigint-engine.ts';
import { openSslEngine } from '../openssl.ts';
import type { SrpEngine } from '../srp-engine.ts';

/** Every engine; what holds for one must hold for all. */
export const testEngines: readonly SrpEngine[] = [bigIntEngine, openSslEngine];
