import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  createOperations,
  type IdentityProvider,
  type PoolDescription,
  ProviderError,
  type ProviderOperations,
  type PublicKey,
} from '@poolgate/provider';
import { bigIntEngine, createSyncComputations } from '@poolgate/srp';
import type { Clock, GatewayDeps, GatewaySettings, KeyRing } from '../kernel/deps.ts';
import type {
  AdminKeyRecord,
  AdminKeyRecords,
  EventRecord,
  GatewayRecords,
  RevocationRecord,
} from '../records/index.ts';
import { createRuntime, type GatewayRuntime } from '../runtime/runtime.ts';

/** The time at which tests start. */
export const START_MS = Date.parse('2026-01-31T12:00:00Z');

/** A clock that a test advances. */
export interface MovableClock extends Clock {
  nowMs: number;
}

export function createMovableClock(nowMs: number = START_MS): MovableClock {
  return {
    nowMs,
    now() {
      return this.nowMs;
    },
  };
}

export const POOL: PoolDescription = {
  userPoolId: 'us-east-1_Abc123xyz',
  region: 'us-east-1',
  issuer: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Abc123xyz',
  srp: { NHex: 'ff', gHex: '02', hash: 'SHA-256' },
  challenges: [],
  firstFactors: [],
  passkeys: { relyingPartyId: 'localhost' },
  acceptsVerifiers: true,
  mfa: { setup: 'OPTIONAL', types: [] },
};

export const CLIENT_ID = '1example23456789';

/** Records that guards use, in maps. Everything that guards must not use rejects. */
export interface GuardRecords extends GatewayRecords {
  readonly revocationsBySubject: Map<string, RevocationRecord>;
  readonly keysById: Map<string, AdminKeyRecord>;
  readonly appended: EventRecord[];
  /** The names of the called methods, in order. */
  readonly calls: string[];
}

const WRITE_TURNS = 5;

/** A write takes some turns of the event loop, which reveals a caller who does not wait for it. */
export async function takeSomeTurns(): Promise<void> {
  for (let turn = 0; turn < WRITE_TURNS; turn += 1) await new Promise(setImmediate);
}

const throwUnexpectedCall = () => Promise.reject(new Error('a guard has no business with this record'));

function createAdminKeyRecords(keysById: Map<string, AdminKeyRecord>, calls: string[]): AdminKeyRecords {
  return {
    async insert(key) {
      await takeSomeTurns();
      keysById.set(key.id, key);
    },
    async find(id) {
      calls.push('adminKeys.find');
      return keysById.get(id);
    },
    list: async () => [...keysById.values()],
    async touch(id, nowMs) {
      calls.push('adminKeys.touch');
      await takeSomeTurns();
      const key = keysById.get(id);
      if (key !== undefined) keysById.set(id, { ...key, lastUsedAtMs: nowMs });
    },
    async revoke(id, nowMs) {
      await takeSomeTurns();
      const key = keysById.get(id);
      if (key !== undefined) keysById.set(id, { ...key, revokedAtMs: nowMs });
      return key !== undefined;
    },
    shortenLife: throwUnexpectedCall,
  };
}

export function createGuardRecords(): GuardRecords {
  const revocationsBySubject = new Map<string, RevocationRecord>();
  const keysById = new Map<string, AdminKeyRecord>();
  const appended: EventRecord[] = [];
  const calls: string[] = [];
  return {
    revocationsBySubject,
    keysById,
    appended,
    calls,
    localUsers: {
      upsert: throwUnexpectedCall,
      find: throwUnexpectedCall,
      setPasswordResetRequired: throwUnexpectedCall,
      setWebauthnEnabled: throwUnexpectedCall,
      delete: throwUnexpectedCall,
    },
    localPasskeys: { put: throwUnexpectedCall, list: throwUnexpectedCall, delete: throwUnexpectedCall },
    localDevices: { put: throwUnexpectedCall, listByKeys: throwUnexpectedCall, delete: throwUnexpectedCall },
    webSessions: {
      insert: throwUnexpectedCall,
      replace: throwUnexpectedCall,
      find: throwUnexpectedCall,
      findKnown: throwUnexpectedCall,
      findByFamily: throwUnexpectedCall,
      touch: throwUnexpectedCall,
      lease: throwUnexpectedCall,
      renew: throwUnexpectedCall,
      release: throwUnexpectedCall,
      end: throwUnexpectedCall,
    },
    consoleSessions: {
      insert: throwUnexpectedCall,
      find: throwUnexpectedCall,
      touch: throwUnexpectedCall,
      end: throwUnexpectedCall,
    },
    webTickets: { insert: throwUnexpectedCall, consume: throwUnexpectedCall },
    logoutNotices: { lease: throwUnexpectedCall, finish: throwUnexpectedCall, postpone: throwUnexpectedCall },
    pendingSrp: { put: throwUnexpectedCall, find: throwUnexpectedCall, consume: throwUnexpectedCall },
    rates: { take: async (asked) => asked.map(({ name }) => name) },
    revocations: {
      async record(revocation) {
        await takeSomeTurns();
        revocationsBySubject.set(revocation.subject, revocation);
      },
      async listBySubjects(_userPoolId, subjects) {
        calls.push('revocations.listBySubjects');
        return subjects.flatMap((subject) => revocationsBySubject.get(subject) ?? []);
      },
    },
    adminKeys: createAdminKeyRecords(keysById, calls),
    events: {
      async append(event) {
        calls.push('events.append');
        await takeSomeTurns();
        appended.push(event);
      },
      async tryAppend(event) {
        calls.push('events.tryAppend');
        await takeSomeTurns();
        appended.push(event);
      },
      page: throwUnexpectedCall,
    },
    webhooks: { insert: throwUnexpectedCall, list: throwUnexpectedCall, delete: throwUnexpectedCall },
    deliveries: {
      lease: throwUnexpectedCall,
      finish: throwUnexpectedCall,
      postpone: throwUnexpectedCall,
      deadLetter: throwUnexpectedCall,
      listDead: throwUnexpectedCall,
    },
    idempotencyKeys: { claim: throwUnexpectedCall, storeAnswer: throwUnexpectedCall, release: throwUnexpectedCall },
    ready: async () => true,
    takesWrites: async () => true,
    sweep: async () => {},
  };
}

/** A real key ring with one key: AES-256-GCM with authenticated purpose and data. */
export function createTestKeyRing(): KeyRing & { opened: number } {
  const key = randomBytes(32);
  const context = (purpose: string, data: string) => Buffer.from(JSON.stringify([purpose, data]));
  return {
    opened: 0,
    encrypt(purpose, plaintext, associatedData) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context(purpose, associatedData));
      const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    decrypt(purpose, encrypted, associatedData) {
      this.opened += 1;
      const bytes = Buffer.from(encrypted, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(context(purpose, associatedData))
        .setAuthTag(bytes.subarray(12, 28));
      try {
        return Uint8Array.from(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]));
      } catch {
        return undefined;
      }
    },
  };
}

/** A provider of one pool with these keys that refuses every other operation. */
export function createTestProvider(
  keys: () => readonly PublicKey[],
  operations: Partial<ProviderOperations> = {},
): IdentityProvider {
  const refused = createOperations((name) => async () => {
    throw new ProviderError('UnsupportedOperationException', `${name} is not part of this test`);
  });
  return {
    operations: { ...refused, ...operations },
    extensions: {},
    recordsEvents: true,
    recordsRevocations: false,
    describe: async (userPoolId) => (userPoolId === POOL.userPoolId ? POOL : undefined),
    signingKeys: async (userPoolId) => (userPoolId === POOL.userPoolId ? keys() : undefined),
    poolOfClient: async (clientId) => (clientId === CLIENT_ID ? POOL.userPoolId : undefined),
    readSecretBlock: async () => undefined,
  };
}

/** Settings without limits, logs and outside access. */
export const TEST_SETTINGS: GatewaySettings = {
  baseUrl: 'http://localhost:3000',
  apiPrefix: '/api/cognito',
  webPrefix: '/cognito',
  browserSessions: { idleSeconds: 3600, longestSeconds: 86_400, staySeconds: 2_592_000 },
  console: true,
  returnOrigins: [],
  trustedProxies: [],
  corsOrigins: [],
  oauth: true,
  pkce: 'required',
  cognitoApi: true,
  srpAssisted: true,
  loginFlow: 'srp',
  introspect: false,
  rateLimits: { readsPerMinute: 0, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 },
  mfaSetup: 'OPTIONAL',
  mfaTypes: ['SOFTWARE_TOKEN_MFA'],
  mfaQrLibrary: 'builtin',
  recentLoginSeconds: 900,
  recentLoginOnCognitoApi: false,
  adminGroups: [],
  verifierPasswords: true,
  auditDays: 90,
  privateWebhooks: false,
  overloadMs: 0,
  logLevel: 'silent',
};

/** The dependencies of a gateway, with changes for a test. */
export function createTestDeps<Given extends Partial<Omit<GatewayDeps, 'settings'>>>(
  given: Given,
  settings: Partial<GatewaySettings> = {},
): GatewayDeps & Given {
  return {
    provider: createTestProvider(() => []),
    userPoolId: POOL.userPoolId,
    clientId: CLIENT_ID,
    records: createGuardRecords(),
    keyRing: createTestKeyRing(),
    engine: bigIntEngine,
    srp: createSyncComputations(bigIntEngine),
    clock: createMovableClock(),
    random: (byteLength) => Uint8Array.from(randomBytes(byteLength)),
    settings: { ...TEST_SETTINGS, ...settings },
    adminKeys: [],
    outbox: undefined,
    timer: { after: () => () => {} },
    postWebhook: async () => ({ ok: true }),
    postLogoutToken: async () => ({ ok: true }),
    isWebhookUrlRefused: async () => false,
    logStream: { write: () => {} },
    ...given,
  };
}

/** The dependencies of guards and handlers, with changes for a test. */
export function createTestRuntime<Given extends Partial<Omit<GatewayDeps, 'settings'>>>(
  given: Given,
  settings: Partial<GatewaySettings> = {},
): GatewayRuntime & Given {
  return { ...given, ...createRuntime(createTestDeps(given, settings)) };
}
