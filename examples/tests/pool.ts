import { readFileSync } from 'node:fs';
import { type Service, type StartOptions, start } from 'poolgate';

type SigningKeys = NonNullable<StartOptions['signingKeys']>;

const signingKeys: SigningKeys = JSON.parse(readFileSync(new URL('signing-keys.json', import.meta.url), 'utf8'));

/** Starts a service with a pool of its own, for one test file. */
export function startTestPool(more: StartOptions = {}): Promise<Service> {
  return start({
    databaseUrl: 'sqlite::memory:',
    port: 0,
    signingKeys,
    clock: { now: () => Date.now() },
    limitReads: 0,
    limitLoginSteps: 0,
    limitUserSteps: 0,
    ...more,
  });
}
