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
  /** Its record for a user; `untilMs` as in `createCredential`. */
  createCredential(username: string, untilMs: number | null): Promise<CredentialRecord>;
  /** Whether it is the password that a user has, as far as that can be told. At once: it is asked inside writes. */
  equals(credential: CredentialRecord): boolean;
  /** Whether it can only be meant as the password that a user has: it is a verifier made with that password's salt. */
  hasSaltOf(credential: CredentialRecord): boolean;
}

/** A password in plain text. */
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

/** Whether a pool refuses the most used passwords. */
export function refusesCommonPasswords({ settings }: PoolRecord): boolean {
  return settings.newPasswords?.refuseCommon ?? false;
}

/**
 * A password of which the client sends the verifier only. What it is nobody else knows, so its rules are the client's to keep.
 * @throws {ProviderError} `InvalidParameterException`: weak, zero, out of range or undecodable; `UnsupportedOperationException`: not in this pool
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
 * As {@link createVerifierPassword}, for a verifier that may also prove the password that a user has. Any pool takes that proof: its `check` refuses the
 * verifier as a new password where the pool takes none.
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

/** @throws {ProviderError} `UnsupportedOperationException`: this pool takes no verifiers */
export function requireVerifierPasswords({ settings }: PoolRecord): void {
  if (settings.verifierPasswords) return;
  throw new ProviderError('UnsupportedOperationException', 'Password verifiers are not enabled for the user pool.', {
    reason: 'flow_disabled',
  });
}

const MAX_HEX_DIGITS = 1_024;

/** A salt is an integer: of 16 random bytes those in front may be zeros, which are not written. */
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
 * A temporary password was seen by others than its user: where the pool says so, it never becomes the permanent one.
 * @param before what the user has now; undefined where that is nothing
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

/** Whether a pool refuses the temporary password as the permanent one. */
export function refusesTemporaryPasswordReuse({ settings }: PoolRecord): boolean {
  return settings.newPasswords?.refuseTemporaryAgain ?? false;
}

/** The refusal of a permanent password that is the temporary one. */
export function temporaryPasswordReusedError(): ProviderError {
  return new ProviderError(
    'InvalidPasswordException',
    'Password did not conform with policy: Password must differ from the temporary one',
    { brokenRules: ['temporary_again'] },
  );
}

const NAME_ATTRIBUTES = ['email', 'name', 'preferred_username'] as const;

/** The names of a user that are no passwords of it. */
export function listPasswordUserNames({
  username,
  attributes,
}: Pick<UserRecord, 'username' | 'attributes'>): readonly string[] {
  return [username, ...NAME_ATTRIBUTES.map((name) => attributes[name] ?? '')];
}
