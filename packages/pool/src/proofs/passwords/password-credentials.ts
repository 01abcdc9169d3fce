/**
 * Passwords. Only an encrypted SRP verifier is stored, not even a hash. Each password has a random version, by which a login detects that
 * it was replaced (docs/decisions/0058-password-versions.md).
 */
import { type PasswordRule, ProviderError } from '@poolgate/provider';
import { computeVerifier, drawSalt, hashPassword, matchesVerifier, type StoredVerifier } from '@poolgate/srp';
import type { ClockPort, EnginePort, KeyRingPort, RandomPort, Transaction } from '../../kernel/ports.ts';
import { decryptionFailedError, toSrpPoolName } from '../../settings/pools-and-clients.ts';
import type { PasswordPolicy } from '../../store/pool-and-client-settings.ts';
import type { CredentialRecord, PoolRecord } from '../../store/records.ts';
import type { NewCredentialPorts, PasswordMatchPorts } from './password-ports.ts';

/** Cognito's maximum length of a password, in code points. */
const MAX_PASSWORD_CODE_POINTS = 256;
const VERSION_BYTES = 12;
const NO_PASSWORD = '-'.repeat(16);
const BEFORE_VERSIONS = '_'.repeat(16);
const TIME_DIGITS = 13;

const DAY_MS = 86_400_000;
const SYMBOL = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/u;

interface PasswordPolicyRule {
  readonly broken: PasswordRule;
  readonly applies: (policy: PasswordPolicy) => boolean;
  readonly isSatisfiedBy: (password: string, policy: PasswordPolicy) => boolean;
  readonly text: string;
}

const RULES: readonly PasswordPolicyRule[] = [
  {
    broken: 'too_short',
    applies: () => true,
    isSatisfiedBy: (password, policy) => Array.from(password).length >= policy.minimumLength,
    text: 'Password not long enough',
  },
  createPolicyRule('requireUppercase', /\p{Lu}/u, ['needs_uppercase', 'uppercase']),
  createPolicyRule('requireLowercase', /\p{Ll}/u, ['needs_lowercase', 'lowercase']),
  createPolicyRule('requireNumbers', /\p{Nd}/u, ['needs_number', 'numeric']),
  createPolicyRule('requireSymbols', SYMBOL, ['needs_symbol', 'symbol']),
];

type PolicySwitch = 'requireUppercase' | 'requireLowercase' | 'requireNumbers' | 'requireSymbols';

function createPolicyRule(
  name: PolicySwitch,
  pattern: RegExp,
  [broken, word]: readonly [PasswordRule, string],
): PasswordPolicyRule {
  return {
    broken,
    applies: (policy) => policy[name],
    isSatisfiedBy: (password) => pattern.test(password),
    text: `Password must have ${word} characters`,
  };
}

/**
 * Checks a new password, which is used unchanged: it is not truncated, trimmed or normalized.
 * @throws {ProviderError} `InvalidParameterException`: too long, white space at an end, or not well-formed text;
 *   `InvalidPasswordException`: against the pool's policy
 */
export function checkPasswordPolicy(policy: PasswordPolicy, password: string): void {
  if (!isWellFormedPassword(password)) {
    throw new ProviderError(
      'InvalidParameterException',
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$",
    );
  }
  const broken = RULES.filter((row) => row.applies(policy) && !row.isSatisfiedBy(password, policy));
  const [first] = broken;
  if (first === undefined) return;
  // Cognito's message names only the first one.
  throw new ProviderError('InvalidPasswordException', `Password did not conform with policy: ${first.text}`, {
    brokenRules: broken.map((row) => row.broken),
  });
}

/** Whether a text can be a password at all. A lone surrogate has no UTF-8 form, so two such passwords would be the same. */
export function isWellFormedPassword(password: string): boolean {
  return (
    password.isWellFormed() && !/^\s|\s$/u.test(password) && Array.from(password).length <= MAX_PASSWORD_CODE_POINTS
  );
}

/** When a temporary password that is set now expires. */
export function computeTemporaryPasswordExpiryMs(ports: ClockPort, pool: PoolRecord): number {
  return ports.clock.now() + pool.settings.passwordPolicy.temporaryPasswordValidityDays * DAY_MS;
}

/**
 * Creates the record of a password: an SRP verifier with a new salt, encrypted for this pool and username. It takes one exponentiation.
 * @param username the canonical username, which is part of the verifier
 * @param untilMs when a temporary password expires; null for a permanent one
 */
export async function createCredential(
  ports: NewCredentialPorts,
  pool: Pick<PoolRecord, 'id'>,
  username: string,
  password: string,
  untilMs: number | null,
): Promise<CredentialRecord> {
  const { saltHex, hash } = createPasswordParts(ports, pool, username, password);
  const verifier = await ports.srp.verifierFor({ saltHex, passwordHash: hash });
  return createCredentialFromVerifier(ports, pool, username, { saltHex, verifier }, untilMs);
}

/** The same synchronously on this thread, for a password that is created once for each instance. */
export function createCredentialSync(
  ports: ClockPort & RandomPort & KeyRingPort & EnginePort,
  pool: Pick<PoolRecord, 'id'>,
  username: string,
  password: string,
): CredentialRecord {
  const { saltHex, hash } = createPasswordParts(ports, pool, username, password);
  const verifier = computeVerifier({ engine: ports.engine, saltHex, passwordHash: hash });
  return createCredentialFromVerifier(ports, pool, username, { saltHex, verifier }, null);
}

function createPasswordParts(
  { engine, random }: RandomPort & EnginePort,
  pool: Pick<PoolRecord, 'id'>,
  username: string,
  password: string,
): { readonly saltHex: string; readonly hash: Uint8Array } {
  const hash = hashPassword(engine, { poolName: toSrpPoolName(pool.id), userIdForSrp: username }, password);
  return { saltHex: drawSalt(random), hash };
}

/** Creates the record of a password from its verifier. The verifier must have been computed for this username and pool name. */
export function createCredentialFromVerifier(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: Pick<PoolRecord, 'id'>,
  username: string,
  { saltHex, verifier }: StoredVerifier,
  untilMs: number | null,
): CredentialRecord {
  return {
    poolId: pool.id,
    username,
    saltHex,
    verifierEncrypted: ports.keyRing.encrypt('verifier', verifier, `${pool.id}/${username}`),
    temporaryUntilMs: untilMs,
    setAtMs: ports.clock.now(),
    version: Buffer.from(ports.random(VERSION_BYTES)).toString('base64url'),
  };
}

/**
 * Formats the version by which a login recognizes its password. Setting a password, even the same one, gives it another version. The time
 * distinguishes passwords from before versions existed, or from a replica that has none. It always has the same length, because clients
 * hold it, encrypted.
 * @param credential undefined without a password
 */
export function formatPasswordVersion(credential: Pick<CredentialRecord, 'version' | 'setAtMs'> | undefined): string {
  const { version, setAtMs } = credential ?? { version: NO_PASSWORD, setAtMs: 0 };
  return `${version ?? BEFORE_VERSIONS}.${String(setAtMs).padStart(TIME_DIGITS, '0')}`;
}

/**
 * Replaces a user's password. It also forgets all remembered devices, which relied on the old password, and invalidates the code that was
 * to replace it. All code that changes a stored password must use this function.
 */
export async function replacePassword(
  transaction: Transaction<'codes' | 'credentials' | 'devices'>,
  credential: CredentialRecord,
  nowMs: number,
): Promise<void> {
  await transaction.credentials.put(credential);
  await transaction.devices.forgetTrust(credential.poolId, credential.username, nowMs);
  await transaction.codes.delete(credential.poolId, credential.username, 'forgot_password');
}

/**
 * Decrypts the SRP verifier of a credential: unsigned big-endian.
 * @throws {ProviderError} `InternalErrorException`: encrypted with an unknown key, or for another user
 */
export function decryptPasswordVerifier(ports: KeyRingPort, credential: CredentialRecord): Uint8Array<ArrayBuffer> {
  const associatedData = `${credential.poolId}/${credential.username}`;
  const verifier = ports.keyRing.decrypt('verifier', credential.verifierEncrypted, associatedData);
  if (verifier === undefined) throw decryptionFailedError('verifier');
  return verifier;
}

/** Whether a plain-text password is the user's: one exponentiation and a comparison in constant time. */
export async function passwordMatches(
  ports: PasswordMatchPorts,
  credential: CredentialRecord,
  password: string,
): Promise<boolean> {
  const matches = await ports.srp.matchesVerifier(toVerifierComparison(ports, credential, password));
  return matches && password.isWellFormed();
}

/** The same synchronously on this thread, for writes that may only wait for the database. */
export function passwordMatchesSync(
  ports: KeyRingPort & EnginePort,
  credential: CredentialRecord,
  password: string,
): boolean {
  const matches = matchesVerifier({ ...toVerifierComparison(ports, credential, password), engine: ports.engine });
  return matches && password.isWellFormed();
}

function toVerifierComparison(
  ports: KeyRingPort & EnginePort,
  credential: CredentialRecord,
  password: string,
): StoredVerifier & { readonly passwordHash: Uint8Array } {
  const identity = { poolName: toSrpPoolName(credential.poolId), userIdForSrp: credential.username };
  return {
    saltHex: credential.saltHex,
    verifier: decryptPasswordVerifier(ports, credential),
    passwordHash: hashPassword(ports.engine, identity, password),
  };
}
