import type { LoginRecord } from '../store/records.ts';

/** How a test login was proven. */
export const BY_PASSWORD = { methods: 'pwd', level: 1, acr: null } as const;

/** A login of the test pool without a refresh or a device. */
export const TEST_LOGIN_RECORD: LoginRecord = {
  id: '11111111-2222-4333-8444-555555555555',
  poolId: 'us-east-1_Test00001',
  clientId: '1example23456789',
  username: 'ada',
  authTimeSeconds: 1_700_000_000,
  refreshExpiresAtMs: 0,
  generation: 0,
  rotatedAtMs: null,
  revokedAtMs: null,
  deviceKey: null,
  sourceAddress: null,
  userAgent: null,
  scope: null,
  audience: null,
  sessionId: null,
  ...BY_PASSWORD,
  createdAtMs: 0,
};
