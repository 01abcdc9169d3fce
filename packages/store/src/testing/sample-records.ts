import type {
  AdminKeyRecord,
  ConsoleSessionRecord,
  LocalDeviceRecord,
  LocalPasskeyRecord,
  WebSessionRecord,
} from '@poolgate/gateway/records';
import type {
  ClientRecord,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  LoginRecord,
  MessageRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  PoolStore,
  SigningKeyRecord,
  TotpRecord,
  UserRecord,
} from '@poolgate/pool/store';

/** A pool. */
export function samplePool(id: string): PoolRecord {
  return {
    id,
    name: 'Main',
    region: 'us-east-1',
    settings: {
      usernameAttributes: ['email'],
      aliasAttributes: [],
      usernamesAreCaseSensitive: false,
      autoVerifiedAttributes: ['email'],
      onlyAdminsCreateUsers: false,
      passwordPolicy: {
        minimumLength: 8,
        requireUppercase: true,
        requireLowercase: true,
        requireNumbers: true,
        requireSymbols: true,
        temporaryPasswordValidityDays: 7,
      },
      mfaConfiguration: 'OPTIONAL',
      mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
      deviceTracking: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: false },
      firstFactors: ['PASSWORD'],
      webAuthn: {
        relyingPartyId: 'issuer.test',
        origins: ['https://issuer.test'],
        userVerification: 'preferred',
        factorConfiguration: 'SINGLE_FACTOR',
      },
      recovery: ['verified_email', 'verified_phone_number'],
      customAttributes: { 'custom:team': { type: 'String', mutable: true, required: false, maxLength: 20 } },
      requiredAttributes: ['email'],
      requireVerificationBeforeUpdate: ['email'],
      verifierPasswords: true,
      notMeUrl: 'https://issuer.test/not-me',
      issuer: `https://issuer.test/${id}`,
    },
    secretEncrypted: `sealed-pool-secret-${id}`,
    createdAtMs: 1_700_000_000_000,
    modifiedAtMs: 1_700_000_000_000,
  };
}

/** A client of a pool. */
export function sampleClient(poolId: string, id: string): ClientRecord {
  return {
    poolId,
    id,
    name: 'Web',
    settings: {
      allowedFlows: ['USER_SRP_AUTH', 'REFRESH_TOKEN_AUTH'],
      preventUserExistenceErrors: true,
      accessTokenSeconds: 3_600,
      idTokenSeconds: 3_600,
      refreshTokenSeconds: 2_592_000,
      authSessionSeconds: 180,
      tokenRevocation: true,
      refreshRotation: { graceSeconds: 10 },
      readAttributes: null,
      writeAttributes: ['email'],
    },
    secretsEncrypted: ['sealed-client-secret-1', 'sealed-client-secret-2'],
    createdAtMs: 1_700_000_000_001,
    modifiedAtMs: 1_700_000_000_001,
  };
}

/** A user of a pool. */
export function sampleUser(poolId: string, username: string): UserRecord {
  return {
    poolId,
    username,
    sub: `sub-${username}`,
    status: 'CONFIRMED',
    enabled: true,
    attributes: { email: `${username}@example.test`, email_verified: 'true', name: 'Zoë "Z" 🦊\u0000 O’Neil' },
    mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
    preferredMfa: 'EMAIL_OTP',
    groups: [],
    deletionAtMs: 1_900_000_000_000,
    createdAtMs: 1_700_000_000_002,
    modifiedAtMs: 1_700_000_000_003,
  };
}

/** A permanent password of a user. */
export function sampleCredential(poolId: string, username: string): CredentialRecord {
  return {
    poolId,
    username,
    saltHex: 'a1b2c3',
    verifierEncrypted: `sealed-verifier-${username}`,
    temporaryUntilMs: null,
    setAtMs: 1_700_000_000_004,
    version: 'sample-version-0',
  };
}

/** A sign-up code of a user. */
export function sampleCode(poolId: string, username: string): CodeRecord {
  return {
    poolId,
    username,
    purpose: 'sign_up',
    digestHex: 'd1',
    channel: 'email',
    destination: `${username}@example.test`,
    expiresAtMs: 1_700_086_400_000,
    createdAtMs: 1_700_000_000_005,
  };
}

/** A login of a user that expires at 1 702 592 000 000. */
export function sampleLogin(poolId: string, username: string, id: string): LoginRecord {
  return {
    id,
    poolId,
    clientId: `client-of-${poolId}`,
    username,
    authTimeSeconds: 1_700_000_000,
    refreshExpiresAtMs: 1_702_592_000_000,
    generation: 0,
    rotatedAtMs: null,
    revokedAtMs: null,
    deviceKey: `device-of-${username}`,
    sourceAddress: '192.0.2.9',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    scope: 'openid things/read',
    audience: 'https://things.test/',
    sessionId: `session-of-${username}`,
    methods: 'pwd otp mfa',
    level: 4,
    acr: 'urn:cognito:loa:4',
    createdAtMs: 1_700_000_000_006,
  };
}

/** A remembered device of a user. */
export function sampleDevice(poolId: string, username: string, key: string): DeviceRecord {
  return {
    poolId,
    username,
    key,
    groupKey: '-groupkey',
    name: 'Läptop',
    saltHex: 'd4e5',
    verifierEncrypted: `sealed-device-verifier-${key}`,
    remembered: true,
    lastIp: '192.0.2.7',
    createdAtMs: 1_700_000_000_010,
    modifiedAtMs: 1_700_000_000_011,
    lastAuthenticatedAtMs: 1_700_000_000_012,
  };
}

/** An authenticator app of a user, without a used time step. */
export function sampleTotp(poolId: string, username: string, state: TotpRecord['state']): TotpRecord {
  return {
    poolId,
    username,
    state,
    secretEncrypted: `sealed-${state}-secret-${username}`,
    name: 'Authenticator',
    lastStep: 0,
    createdAtMs: 1_700_000_000_013,
  };
}

/** An unused passkey of a user. Its counter has the maximum value. */
export function samplePasskey(poolId: string, username: string, credentialId: string): PasskeyRecord {
  return {
    poolId,
    credentialId,
    username,
    publicKey: `cose-key-of-${credentialId}`,
    counter: 4_294_967_295,
    transports: ['internal', 'hybrid'],
    attachment: 'platform',
    aaguid: '00000000-0000-0000-0000-000000000000',
    name: 'Schlüssel 🔑',
    relyingPartyId: 'issuer.test',
    isBackupEligible: true,
    isBackedUp: false,
    createdAtMs: 1_700_000_000_016,
    lastUsedAtMs: null,
  };
}

/** A pending passkey registration that expires at 100. */
export function samplePasskeyCeremony(poolId: string, username: string, clientId: string): PasskeyCeremonyRecord {
  return { poolId, username, clientId, challengeDigestHex: `digest-at-${clientId}`, expiresAtMs: 100 };
}

/** A message that is due at 100. */
export function sampleMessage(poolId: string, id: string): MessageRecord {
  return {
    id,
    poolId,
    channel: 'email',
    contentEncrypted: `sealed-message-${id}`,
    tries: 0,
    nextTryAtMs: 100,
    leasedUntilMs: 0,
    handedOver: false,
    expiresAtMs: 1_000_000,
    deadAtMs: null,
    lastFailure: null,
    createdAtMs: 100,
  };
}

/** An active signing key of a pool. */
export function sampleSigningKey(poolId: string, kid: string): SigningKeyRecord {
  return {
    poolId,
    kid,
    purpose: 'access',
    algorithm: 'ES256',
    n: 'modulus',
    e: 'AQAB',
    x: 'abscissa',
    y: 'ordinate',
    privateEncrypted: `sealed-private-key-${kid}`,
    createdAtMs: 1_700_000_000_007,
    retiredAtMs: null,
  };
}

/** An admin key. */
export function sampleAdminKey(id: string): AdminKeyRecord {
  return {
    id,
    secretDigestHex: 'ab'.repeat(32),
    signingSecretEncrypted: `sealed-signing-secret-${id}`,
    scopes: ['users:read', 'users:write'],
    label: 'Backend',
    createdAtMs: 1_700_000_000_008,
    expiresAtMs: 1_731_536_000_000,
    lastUsedAtMs: null,
    createdBy: null,
    revokedAtMs: null,
  };
}

/** The gateway's data about a device. */
export function sampleLocalDevice(userPoolId: string, sub: string, deviceKey: string): LocalDeviceRecord {
  return {
    userPoolId,
    sub,
    deviceKey,
    name: 'Läptop',
    remembered: null,
    createdAtMs: 1_700_000_000_014,
    updatedAtMs: 1_700_000_000_015,
  };
}

/** The name that a user gave to a passkey. */
export function sampleLocalPasskey(userPoolId: string, sub: string, credentialId: string): LocalPasskeyRecord {
  return { userPoolId, sub, credentialId, name: 'Läptop', updatedAtMs: 1_700_000_000_017 };
}

/** Adds a pool, its client `client-of-<pool>`, and users to a store. The username is each user's only name. */
export async function insertSamplePool(
  store: PoolStore,
  poolId: string,
  ...usernames: readonly string[]
): Promise<void> {
  await store.write(async (transaction) => {
    await transaction.pools.insert(samplePool(poolId));
    await transaction.clients.insert(sampleClient(poolId, `client-of-${poolId}`));
    for (const username of usernames) await transaction.users.insert(sampleUser(poolId, username), [username]);
  });
}

/** A browser session that expires at 100 and ends at 200. */
export function sampleWebSession(idDigestHex: string): WebSessionRecord {
  return {
    idDigestHex,
    familyId: `family-${idDigestHex}`,
    userPoolId: 'p',
    sub: 'sub',
    originJti: 'login',
    contentEncrypted: 'sealed',
    tokensExpireAtMs: 50,
    refreshedAtMs: 10,
    staysSignedIn: false,
    createdAtMs: 10,
    seenAtMs: 10,
    endsAtMs: 200,
    expiresAtMs: 100,
  };
}

/** A console session. */
export function sampleConsoleSession(idDigestHex: string): ConsoleSessionRecord {
  return {
    idDigestHex,
    keyId: 'key',
    keyDigestHex: 'digest',
    scopes: ['users:read', 'audit:read'],
    network: '192.0.2.1',
    createdAtMs: 10,
    seenAtMs: 10,
    endsAtMs: 200,
    expiresAtMs: 100,
  };
}
