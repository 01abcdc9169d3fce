import type { StartOptions } from 'poolgate';
import { TestClock } from '../../../packages/pool/src/testing/test-environment.ts';
import { computeTotpCode } from '../routes/route-mfa.ts';
import { startTestService, type TestService } from '../services/test-service.ts';
import { findFreePort } from '../services/wait-for-port.ts';
import { setLambdaConfig } from '../triggers/triggered-service.ts';

const STEP_MS = 30_000;

/** Options of a service whose pages may use passkeys, even if the pool behind it must know their origin. */
async function createPageOptions(options: StartOptions): Promise<StartOptions> {
  const port = await findFreePort();
  return { port, rpId: 'localhost', origins: [`http://localhost:${port}`], ...options };
}

/** Starts a service for browser tests. Its clock starts at the current time and stands still. */
export async function startPageService(options: StartOptions = {}): Promise<TestService> {
  return startTestService(await createPageOptions(options), new TestClock(Date.now()));
}

/** Like {@link startPageService}, with triggers of its pool. */
export async function startTriggeredPageService(
  lambdaConfig: object,
  options: StartOptions = {},
): Promise<TestService> {
  const service = await startPageService(options);
  await setLambdaConfig(service, lambdaConfig);
  return service;
}

/** Returns the code of an authenticator's next step: never the code that was used last. */
export function computeNextTotpCode(service: TestService, secretCode: string): string {
  service.clock.advance(STEP_MS);
  return computeTotpCode(service, secretCode);
}
