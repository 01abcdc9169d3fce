import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createCognitoProvider } from '@poolgate/provider-cognito';
import { sentCode } from '../../packages/pool/src/testing/test-logins.ts';
import { TEST_ORIGIN, WEB_AUTHN } from '../../packages/pool/src/testing/test-passkeys.ts';
import { openTestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { NO_QUOTAS } from '../support/provider/backing-pool.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { startTestService } from '../support/services/test-service.ts';
import { AWS_VARIABLES } from './amazon.ts';
import type { Need, Subject } from './subject.ts';

const MFA_METHODS = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'] as const;
const FIRST_FACTORS = ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'] as const;
const EVERYTHING: ReadonlySet<Need> = new Set(['codes', 'sms', 'passkeys']);

const newAddress = (): string => `user-${randomUUID()}@example.com`;

/** The embedded pool, called directly. */
export async function directPool(): Promise<Subject> {
  const settings = { mfaMethods: [...MFA_METHODS], firstFactors: [...FIRST_FACTORS], webAuthn: WEB_AUTHN };
  const pool = await openTestPool('sqlite::memory:', { pool: settings });
  return {
    ...pool,
    has: EVERYTHING,
    origin: TEST_ORIGIN,
    newAddress,
    codeTo: (address) => sentCode(pool, address),
    pass: async (ms) => pool.clock.advance(ms),
  };
}

/** The embedded pool of a running service, reached through the AWS SDK. */
export async function poolThroughSdk(): Promise<Subject> {
  const service = await startTestService({
    mfaTypes: MFA_METHODS,
    firstFactors: FIRST_FACTORS,
    rpId: WEB_AUTHN.relyingPartyId,
    origins: [TEST_ORIGIN],
  });
  const { adminKey, userPoolId, clientId, clock } = service;
  const provider = createCognitoProvider({
    region: 'us-east-1',
    userPoolId,
    clientId,
    clientSecrets: [],
    endpoint: service.url,
    credentials: async () => ({ accessKeyId: adminKey?.id ?? '', secretAccessKey: adminKey?.secret ?? '' }),
    clock,
    limits: { quotas: NO_QUOTAS },
  });
  return {
    operations: provider.operations,
    userPoolId,
    clientId,
    clock,
    has: EVERYTHING,
    origin: TEST_ORIGIN,
    newAddress,
    codeTo: (address) => findLastCode(service, address),
    pass: async (ms) => clock.advance(ms),
    async close() {
      provider.close();
      await service.close();
    },
  };
}

/** A real Amazon pool. Its emails are not read, and it sends no paid text messages. */
export async function amazonPool(): Promise<Subject> {
  const [userPoolId = '', clientId = ''] = AWS_VARIABLES.map((name) => process.env[name]);
  const secret = process.env.POOLGATE_TEST_AWS_CLIENT_SECRET;
  const provider = createCognitoProvider({
    region: userPoolId.split('_')[0] ?? '',
    userPoolId,
    clientId,
    clientSecrets: secret ? [secret] : [],
    clock: Date,
  });
  const { passkeys } = (await provider.describe(userPoolId)) ?? { passkeys: null };
  return {
    operations: provider.operations,
    userPoolId,
    clientId,
    clock: Date,
    has: new Set<Need>(passkeys === null ? [] : ['passkeys']),
    origin: `https://${passkeys?.relyingPartyId}`,
    newAddress,
    codeTo: (address) => {
      throw new RangeError(`address: nobody reads the mails to ${address}`);
    },
    pass: (ms) => setTimeout(ms),
    close: async () => provider.close(),
  };
}
