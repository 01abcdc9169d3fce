import { generateKeyPairSync } from 'node:crypto';
import { type StartOptions, start } from '../../packages/poolgate/src/index.ts';
import type { Scenario } from '../rig/scenario.ts';
import { createTimedContender, TIMED_METRICS } from '../rig/timed-contender.ts';

const SUPPLIED = 'keys supplied';
const MADE = 'keys made';
const MAX_MS = 200;

const createPrivateKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

/**
 * A start with demo user and outbox, up to the first response, and its end. The code is already loaded by the first start of the process.
 */
async function prepareStart(options: StartOptions): Promise<() => Promise<void>> {
  const once = async () => {
    const service = await start({ databaseUrl: 'sqlite::memory:', port: 0, ...options });
    const { status } = await fetch(`${service.url}/readyz`);
    await service.close();
    if (status !== 200) throw new Error(`the service is not ready: ${status}`);
  };
  await once();
  return once;
}

/** The cost of a separate service for a test file. */
export const testStart: Scenario = {
  name: 'test-start',
  title: 'Start in process in memory, as a test does',
  metrics: TIMED_METRICS,
  contenders: [
    createTimedContender(SUPPLIED, () =>
      prepareStart({ signingKeys: { access: createPrivateKey(), id: createPrivateKey() } }),
    ),
    createTimedContender(MADE, () => prepareStart({})),
  ],
  goals: [
    {
      text: `${SUPPLIED}: p50 in ms`,
      ratio: (median) => median(SUPPLIED, 'p50Ms'),
      bound: { atMost: MAX_MS },
    },
  ],
};
