import { timingSafeEqual } from 'node:crypto';
import { type PasswordVerifier, ProviderError } from '@poolgate/provider';
import { parseDeviceConfig, SrpError, type StoredVerifier } from '@poolgate/srp';
import type { ClockPort, KeyRingPort, RandomPort } from '../../kernel/ports.ts';
import type { CredentialRecord, PoolRecord, UserRecord } from '../../store/records.ts';
import { checkNotCommonPassword, checkNotUserName, throwLeakedPasswordError } from './common-passwords.ts';
import {
  checkPasswordPolicy,
  createCredential,
  createCredentialFromVerifier,
  decryptPasswordVerifier,
  passwordMatchesSync,
} from './password-credentials.ts';
import type { NewPasswordPorts } from './password-ports.ts';

/** A password to set, in whichever form it was sent. */
export interface NewPassword {
  /** Whether it was sent as a verifier, which belongs to one username. */
  readonly isVerifier: boolean;
  /**
   * Checks the rules that are the same for every user. This runs before anything is read about the user, so the cost and the response are
   * the same for every name.
   * @throws {ProviderError} `InvalidPasswordException`, `InvalidParameterException`
   */
  check(): Promise<void>;
  /**
   * Checks whether this user may have it.
   * @throws {ProviderError} `InvalidPasswordException`
   */
  checkOwner(names: readonly string[]): void;
  /** Creates its record for a user; `untilMs` as in `createCredential`. */
  createCredential(username: string, untilMs: number | null): Promise<CredentialRecord>;
  /** Whether it is a user's current password, as far as this can be determined. Synchronous, because it is called within writes. */
  equals(credential: CredentialRecord): boolean;
  /** Whether it can only be meant as the user's current password: it is a verifier with that password's salt. */
  hasSaltOf(credential: CredentialRecord): boolean;
}

/** Creates a password from plain text. */
export function createPlainPassword(ports: NewPasswordPorts, pool: PoolRecord, password: string): NewPassword {
  return {
    isVerifier: false,
    async check() {
      checkPasswordPolicy(pool.settings.passwordPolicy, password);
      if (refusesCommonPasswords(pool)) await checkNotCommonPassword(password);
      if (await ports.isBreached?.(password)) throwLeakedPasswordError();
    },
    checkOwner(names) {
      if (refusesCommonPasswords(pool)) checkNotUserName(password, names);
    },
    createCredential: (username, untilMs) => createCredential(ports, pool, username, password, untilMs),
    equals: (credential) => passwordMatchesSync(ports, credential, password),
    hasSaltOf: () => false,
  };
}

/** Whether a pool rejects the most common passwords. */
export function refusesCommonPasswords({ settings }: PoolRecord): boolean {
  return settings.newPasswords?.refuseCommon ?? false;
}

/**
 * Creates a password from a verifier that the client sent. Only the client knows the password, so the client must enforce the rules.
 * @throws {ProviderError} `InvalidParameterException`: weak, zero, out of range or undecodable; `UnsupportedOperationException`: not in
 *   this pool
 */
export function createVerifierPassword(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  sent: PasswordVerifier,
): NewPassword {
  requireVerifierPasswords(pool);
  return createUncheckedVerifierPassword(ports, pool, sent);
}

/**
 * Like {@link createVerifierPassword}, for a verifier that may also prove the user's current password. Every pool accepts such a proof; as
 * a new password, its `check` rejects it in a pool without verifiers.
 */
export function createClaimedVerifierPassword(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  sent: PasswordVerifier,
): NewPassword {
  return { ...createUncheckedVerifierPassword(ports, pool, sent), check: async () => requireVerifierPasswords(pool) };
}

function createUncheckedVerifierPassword(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  sent: PasswordVerifier,
): NewPassword {
  const stored = parsePasswordVerifier(sent);
  return {
    isVerifier: true,
    check: () => Promise.resolve(),
    checkOwner: () => {},
    createCredential: async (username, untilMs) => createCredentialFromVerifier(ports, pool, username, stored, untilMs),
    equals: (credential) =>
      credential.saltHex === stored.saltHex && equalBytes(decryptPasswordVerifier(ports, credential), stored.verifier),
    hasSaltOf: (credential) => credential.saltHex === stored.saltHex,
  };
}

/** @throws {ProviderError} `UnsupportedOperationException`: this pool does not accept verifiers */
export function requireVerifierPasswords({ settings }: PoolRecord): void {
  if (settings.verifierPasswords) return;
  throw new ProviderError('UnsupportedOperationException', 'Password verifiers are not enabled for the user pool.', {
    reason: 'flow_disabled',
  });
}

const MAX_HEX_DIGITS = 1_024;

/** A salt is an integer. Of 16 random bytes, leading ones may be zeros, which are not written. */
const MIN_SALT_BYTES = 12;

/** @throws {ProviderError} `InvalidParameterException`: weak, zero, out of range or undecodable */
export function parsePasswordVerifier({ SaltHex, VerifierHex }: PasswordVerifier): StoredVerifier {
  try {
    const config = { Salt: hexToBase64(SaltHex), PasswordVerifier: hexToBase64(VerifierHex) };
    return parseDeviceConfig(config, { minSaltBytes: MIN_SALT_BYTES });
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw invalidVerifierError(cause);
  }
}

function hexToBase64(hex: string): string {
  if (hex.length > MAX_HEX_DIGITS || !/^[\da-f]+$/i.test(hex)) throw invalidVerifierError();
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64');
}

function invalidVerifierError(cause?: unknown): ProviderError {
  return new ProviderError('InvalidParameterException', 'Invalid password verifier given.', { cause });
}

function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Others may have seen a temporary password. If the pool says so, it cannot become the permanent one.
 * @param before the user's current password; undefined if none
 * @throws {ProviderError} `InvalidPasswordException`
 */
export function checkNotTemporaryPassword(
  pool: PoolRecord,
  password: NewPassword,
  before: CredentialRecord | undefined,
): void {
  if (!refusesTemporaryPasswordReuse(pool) || before === undefined || before.temporaryUntilMs === null) return;
  if (!password.equals(before)) return;
  throw temporaryPasswordReusedError();
}

/** Whether a pool rejects the temporary password as the permanent one. */
export function refusesTemporaryPasswordReuse({ settings }: PoolRecord): boolean {
  return settings.newPasswords?.refuseTemporaryAgain ?? false;
}

/** The error for a permanent password that equals the temporary one. */
export function temporaryPasswordReusedError(): ProviderError {
  return new ProviderError(
    'InvalidPasswordException',
    'Password did not conform with policy: Password must differ from the temporary password',
    { brokenRules: ['temporary_again'] },
  );
}

const NAME_ATTRIBUTES = ['email', 'name', 'preferred_username'] as const;

/** The names of a user that must not be its password. */
export function listPasswordUserNames({
  username,
  attributes,
}: Pick<UserRecord, 'username' | 'attributes'>): readonly string[] {
  return [username, ...NAME_ATTRIBUTES.map((name) => attributes[name] ?? '')];
}
