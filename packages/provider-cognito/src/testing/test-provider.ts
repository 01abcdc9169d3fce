import type { CallContext } from '@poolgate/provider';
import { type CognitoProvider, createCognitoProvider } from '../cognito-provider.ts';
import type { CognitoOptions } from '../options/cognito-options.ts';
import { createTestTime, type TestTime } from './test-time.ts';

export const POOL_ID = 'us-east-1_TestPool1';
export const CLIENT_ID = '1example23456789';
export const CALL: CallContext = { requestId: 'test', sourceAddress: '127.0.0.1' };

/** A provider on a test's server, with the time of the test. */
export interface TestProvider extends CognitoProvider, Disposable {
  readonly time: TestTime;
  /** How often AWS credentials were looked up. */
  readonly countCredentialLookups: () => number;
}

/** Opens a provider that never waits between attempts unless a test gives it another `random`. */
export function openTestProvider(url: string, more: Partial<CognitoOptions> = {}): TestProvider {
  const time = createTestTime();
  let lookups = 0;
  const provider = createCognitoProvider({
    region: 'us-east-1',
    userPoolId: POOL_ID,
    clientId: CLIENT_ID,
    clientSecrets: [],
    endpoint: url,
    credentials: async () => {
      lookups += 1;
      return { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'an-example-of-a-secret-key' };
    },
    clock: time.clock,
    timer: time.timer,
    random: () => 0,
    ...more,
  });
  return { ...provider, time, countCredentialLookups: () => lookups, [Symbol.dispose]: () => provider.close() };
}
