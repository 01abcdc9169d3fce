import { createHash } from 'node:crypto';
import { isAllowedOrigin } from '../../settings/relying-party.ts';
import type { WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PasskeyRecord } from '../../store/records.ts';
import { findAuthenticatorFault } from './authenticator-fault.ts';
import { type CoseKey, isSignedBy, readKeyAlgorithm } from './cose-keys.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import {
  type AssertionResponse,
  type ClientData,
  decodeBase64Url,
  isCredentialId,
  parseClientData,
} from './passkey-responses.ts';
import { isCanonicalSignature } from './passkey-signatures.ts';
import { loadWebAuthnLibrary } from './webauthn-library.ts';

/** The content of a verified assertion. */
export interface VerifiedAssertion {
  readonly counter: number;
  readonly isUserVerified: boolean;
  readonly isBackedUp: boolean;
}

/** What an assertion is compared with. */
export interface ExpectedAssertion {
  readonly settings: WebAuthnSettings;
  /** Base64url, as issued. */
  readonly challenge: string;
  /** The login user's passkey with that id; undefined if none. */
  readonly passkey: PasskeyRecord | undefined;
  /** The passkey's user handle, base64url. */
  readonly userHandle: string;
  /** Whether the response must contain the user handle. In a login without a username, it identifies the user. */
  readonly needsUserHandle: boolean;
}

/**
 * The key that verifies signatures if the passkey does not exist, so that this costs the same: the base point of P-256 (SEC 2 §2.4.2) as a
 * COSE key. Its result is ignored.
 */
const DECOY_KEY = [
  'a5010203262001215820',
  '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  '225820',
  '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
].join('');

/**
 * Verifies an authenticator's response to request options. `counter` is returned only if everything else is correct. All steps up to the
 * signature are the same whether or not the passkey exists. Checks that only an existing passkey can fail come after it.
 * @returns the content of the assertion, or why it is refused
 * @see https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export async function verifyAssertion(
  answer: AssertionResponse,
  expected: ExpectedAssertion,
): Promise<VerifiedAssertion | PasskeyRefusalCode> {
  const fault = findClientFault(answer, parseClientData(answer.clientDataJSON), expected);
  if (fault !== undefined) return fault;
  const { passkey, userHandle, needsUserHandle } = expected;
  const shown = await checkSignature(answer, expected);
  if (passkey === undefined) return 'unknown_credential';
  if (typeof shown === 'string') return shown;
  if (answer.userHandle === undefined ? needsUserHandle : answer.userHandle !== userHandle) return 'user_handle';
  if (shown.isBackupEligible !== passkey.isBackupEligible) return 'backup_eligibility';
  const { counter } = shown;
  // WebAuthn Level 3 §6.1.1: a counter that does not grow may belong to a copy.
  const isCopy = passkey.counter > 0 && counter <= passkey.counter;
  return isCopy ? 'counter' : shown;
}

function findClientFault(
  { id, rawId, type, authenticatorData, signature }: AssertionResponse,
  clientData: ClientData | undefined,
  { settings, challenge }: ExpectedAssertion,
): 'malformed' | 'challenge' | 'origin' | undefined {
  const isWellFormed =
    isCredentialId(id) && decodeBase64Url(authenticatorData) !== undefined && decodeBase64Url(signature) !== undefined;
  const isAssertion = id === rawId && type === 'public-key' && clientData?.type === 'webauthn.get';
  if (!isWellFormed || !isAssertion) return 'malformed';
  if (clientData.challenge !== challenge) return 'challenge';
  return clientData.isFramed || !isAllowedOrigin(settings, clientData.origin) ? 'origin' : undefined;
}

type CheckedAssertion = VerifiedAssertion & Pick<PasskeyRecord, 'isBackupEligible'>;

async function checkSignature(
  { clientDataJSON, authenticatorData, signature: encodedSignature }: AssertionResponse,
  { settings, passkey }: ExpectedAssertion,
): Promise<CheckedAssertion | PasskeyRefusalCode> {
  const { parseAuthenticatorData, isoCBOR } = await loadWebAuthnLibrary();
  const data = Uint8Array.from(Buffer.from(authenticatorData, 'base64url'));
  const parsed = tryParse(() => parseAuthenticatorData(data));
  if (parsed === undefined) return 'malformed';
  const { flags, counter } = parsed;
  const fault = findAuthenticatorFault(settings, parsed);
  if (fault !== undefined) return fault;
  // WebAuthn Level 3 §6.1.3: only what can be backed up is.
  if (flags.bs && !flags.be) return 'malformed';
  const signed = Buffer.concat([data, createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()]);
  const encodedKey =
    passkey === undefined ? Buffer.from(DECOY_KEY, 'hex') : Buffer.from(passkey.publicKey, 'base64url');
  const signature = Buffer.from(encodedSignature, 'base64url');
  const isRight = tryParse(() => {
    const key = isoCBOR.decodeFirst<CoseKey>(Uint8Array.from(encodedKey));
    return isSignedBy(key, signed, signature) && isCanonicalSignature(readKeyAlgorithm(key), signature);
  });
  if (isRight !== true) return 'signature';
  return { counter, isUserVerified: flags.uv, isBackedUp: flags.bs, isBackupEligible: flags.be };
}

/** The library throws plain errors without codes, and they may repeat the input. */
function tryParse<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
