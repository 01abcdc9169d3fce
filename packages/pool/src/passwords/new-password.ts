import { timingSafeEqual } from 'node:crypto';
import { type PasswordVerifier, ProviderError } from '@poolgate/provider';
import { parseDeviceConfig, SrpError, type StoredVerifier } from '@poolgate/srp';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { CredentialRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { checkNotCommon, checkNotOwnName, throwBreachedPassword } from './common-passwords.ts';
import type { NewPasswordPorts } from './password-ports.ts';
import { checkPolicy, credentialFrom, decryptVerifier, makeCredential, passwordMatchesHere } from './passwords.ts';

/** A password that is to be set, in whichever form it came. */
export interface NewPassword {
  /** Whether it came as a verifier, which is made for one username. */
  readonly isVerifier: boolean;
  /**
   * Whether it may be anybody's. Before anything is read about the user: it costs and answers the same for every name.
   * @throws {ProviderError} `InvalidPasswordException`, `InvalidParameterException`
   */
  check(): Promise<void>;
  /**
   * Whether it may be this user's.
   * @throws {ProviderError} `InvalidPasswordException`
   */
  checkOwner(names: readonly string[]): void;
  /** Its record for a user; `untilMs` as in `makeCredential`. */
  credential(username: string, untilMs: number | null): Promise<CredentialRecord>;
  /** Whether it is the password that a user has, as far as that can be told. At once: it is asked inside writes. */
  equals(credential: CredentialRecord): boolean;
  /** Whether it can only be meant as the password that a user has: it is a verifier made with that password's salt. */
  isMeantAs(credential: CredentialRecord): boolean;
}

/** A password in plain text. */
export function newPlainPassword(ports: NewPasswordPorts, pool: PoolRecord, password: string): NewPassword {
  return {
    isVerifier: false,
    async check() {
      checkPolicy(pool.settings.passwordPolicy, password);
      if (refusesCommon(pool)) await checkNotCommon(password);
      if (await ports.isBreached?.(password)) throwBreachedPassword();
    },
    checkOwner(names) {
      if (refusesCommon(pool)) checkNotOwnName(password, names);
    },
    credential: (username, untilMs) => makeCredential(ports, pool, username, password, untilMs),
    equals: (credential) => passwordMatchesHere(ports, credential, password),
    isMeantAs: () => false,
  };
}

/** Whether a pool refuses the most used passwords. */
export function refusesCommon({ settings }: PoolRecord): boolean {
  return settings.newPasswords?.refuseCommon ?? false;
}

/**
 * A password of which the client sends the verifier only. What it is nobody else knows, so its rules are the client's to keep.
 * @throws {ProviderError} `InvalidParameterException`: weak, zero, out of range or undecodable; `UnsupportedOperationException`: not in this pool
 */
export function newVerifierPassword(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  sent: PasswordVerifier,
): NewPassword {
  requireVerifiers(pool);
  return verifierPassword(ports, pool, sent);
}

/**
 * As {@link newVerifierPassword}, for a verifier that may also prove the password that a user has. Any pool takes that proof: its `check` refuses the
 * verifier as a new password where the pool takes none.
 */
export function claimedVerifierPassword(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  sent: PasswordVerifier,
): NewPassword {
  return { ...verifierPassword(ports, pool, sent), check: async () => requireVerifiers(pool) };
}

function verifierPassword(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  sent: PasswordVerifier,
): NewPassword {
  const stored = readVerifier(sent);
  return {
    isVerifier: true,
    check: () => Promise.resolve(),
    checkOwner: () => {},
    credential: async (username, untilMs) => credentialFrom(ports, pool, username, stored, untilMs),
    equals: (credential) =>
      credential.saltHex === stored.saltHex && sameBytes(decryptVerifier(ports, credential), stored.verifier),
    isMeantAs: (credential) => credential.saltHex === stored.saltHex,
  };
}

/** @throws {ProviderError} `UnsupportedOperationException`: this pool takes no verifiers */
export function requireVerifiers({ settings }: PoolRecord): void {
  if (settings.verifierPasswords) return;
  throw new ProviderError('UnsupportedOperationException', 'Password verifiers are not enabled for the user pool.', {
    reason: 'flow_disabled',
  });
}

const MAX_HEX_DIGITS = 1_024;

/** A salt is an integer: of 16 random bytes those in front may be zeros, which are not written. */
const MIN_SALT_BYTES = 12;

/** @throws {ProviderError} `InvalidParameterException`: weak, zero, out of range or undecodable */
export function readVerifier({ SaltHex, VerifierHex }: PasswordVerifier): StoredVerifier {
  try {
    const config = { Salt: base64From(SaltHex), PasswordVerifier: base64From(VerifierHex) };
    return parseDeviceConfig(config, { minSaltBytes: MIN_SALT_BYTES });
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw invalidVerifier(cause);
  }
}

function base64From(hex: string): string {
  if (hex.length > MAX_HEX_DIGITS || !/^[\da-f]+$/i.test(hex)) throw invalidVerifier();
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64');
}

function invalidVerifier(cause?: unknown): ProviderError {
  return new ProviderError('InvalidParameterException', 'Invalid password verifier given.', { cause });
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * A temporary password was seen by others than its user: where the pool says so, it never becomes the permanent one.
 * @param before what the user has now; undefined where that is nothing
 * @throws {ProviderError} `InvalidPasswordException`
 */
export function checkNotTemporary(pool: PoolRecord, password: NewPassword, before: CredentialRecord | undefined): void {
  if (!refusesTemporaryAgain(pool) || before === undefined || before.temporaryUntilMs === null) return;
  if (!password.equals(before)) return;
  throw temporaryPasswordReused();
}

/** Whether a pool refuses the temporary password as the permanent one. */
export function refusesTemporaryAgain({ settings }: PoolRecord): boolean {
  return settings.newPasswords?.refuseTemporaryAgain ?? false;
}

/** The refusal of a permanent password that is the temporary one. */
export function temporaryPasswordReused(): ProviderError {
  return new ProviderError(
    'InvalidPasswordException',
    'Password did not conform with policy: Password must differ from the temporary one',
    { brokenRules: ['temporary_again'] },
  );
}

const NAME_ATTRIBUTES = ['email', 'name', 'preferred_username'] as const;

/** The names of a user that are no passwords of it. */
export function ownNames({ username, attributes }: Pick<UserRecord, 'username' | 'attributes'>): readonly string[] {
  return [username, ...NAME_ATTRIBUTES.map((name) => attributes[name] ?? '')];
}
