import { isAllowedOrigin } from '../../settings/relying-party.ts';
import type { WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PasskeyRecord } from '../../store/records.ts';
import { findAuthenticatorFault } from './authenticator-fault.ts';
import { type CoseKey, readKeyAlgorithm } from './cose-keys.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import { type AssertionResponse, decodeBase64Url, isCredentialId, parseClientData } from './passkey-responses.ts';
import { isCanonicalSignature } from './passkey-signatures.ts';
import { loadWebAuthnLibrary, type WebAuthnLibrary } from './webauthn-library.ts';

/** What an assertion showed that verifies. */
export interface VerifiedAssertion {
  readonly counter: number;
  readonly isUserVerified: boolean;
  readonly isBackedUp: boolean;
}

/** What an assertion is compared with. */
export interface ExpectedAssertion {
  readonly settings: WebAuthnSettings;
  /** Base64url, as it was given out. */
  readonly challenge: string;
  /** The passkey that the login's user has by that id; undefined where there is none. */
  readonly passkey: PasskeyRecord | undefined;
  /** The user handle that the passkey was made with, base64url. */
  readonly userHandle: string;
  /** Whether the answer has to tell the user handle: where nobody was named, it is what names the user. */
  readonly needsUserHandle: boolean;
}

/**
 * The key that signatures are checked by where there is no passkey, so that this costs the same: the base point of P-256
 * (SEC 2 §2.4.2) as a COSE key. Whatever it makes of a signature counts for nothing.
 */
const DECOY_KEY = [
  'a5010203262001215820',
  '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  '225820',
  '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
].join('');

/**
 * Verifies what an authenticator answered to request options. `counter` is returned only if everything else is right. Everything up to the
 * signature runs the same way whether or not the passkey exists; what only an existing passkey can get wrong is checked after it.
 * @returns what the assertion shows, or why it is refused
 * @see https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export async function verifyAssertion(
  answer: AssertionResponse,
  expected: ExpectedAssertion,
): Promise<VerifiedAssertion | PasskeyRefusalCode> {
  const fault = findClientFault(answer, expected);
  if (fault !== undefined) return fault;
  const { passkey, userHandle, needsUserHandle } = expected;
  const shown = await checkSignature(answer, expected);
  if (passkey === undefined) return 'unknown_credential';
  if (typeof shown === 'string') return shown;
  if (answer.userHandle === undefined ? needsUserHandle : answer.userHandle !== userHandle) return 'user_handle';
  if (shown.isBackupEligible !== passkey.isBackupEligible) return 'backup_eligibility';
  const { counter } = shown;
  // WebAuthn Level 3 §6.1.1: a counter that does not grow may be a copy's.
  const isCopy = passkey.counter > 0 && counter <= passkey.counter;
  return isCopy ? 'counter' : shown;
}

/** What the library does not look at, or not as strictly: it takes padding, and frames of pages that it cannot name. */
function findClientFault(
  { id, clientDataJSON, authenticatorData, signature }: AssertionResponse,
  { settings, challenge }: ExpectedAssertion,
): 'malformed' | 'challenge' | 'origin' | undefined {
  const clientData = parseClientData(clientDataJSON);
  const isWellFormed =
    isCredentialId(id) && decodeBase64Url(authenticatorData) !== undefined && decodeBase64Url(signature) !== undefined;
  if (!isWellFormed || clientData === undefined) return 'malformed';
  if (clientData.challenge !== challenge) return 'challenge';
  return clientData.isFramed || !isAllowedOrigin(settings, clientData.origin) ? 'origin' : undefined;
}

type CheckedAssertion = VerifiedAssertion & Pick<PasskeyRecord, 'isBackupEligible'>;

async function checkSignature(
  answer: AssertionResponse,
  { settings, challenge, passkey }: ExpectedAssertion,
): Promise<CheckedAssertion | PasskeyRefusalCode> {
  const library = await loadWebAuthnLibrary();
  const { verifyAuthenticationResponse, isoCBOR } = library;
  const { id, rawId, type, clientDataJSON, authenticatorData, signature } = answer;
  const key = Uint8Array.from(
    passkey === undefined ? Buffer.from(DECOY_KEY, 'hex') : Buffer.from(passkey.publicKey, 'base64url'),
  );
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        // The library looks what it is.
        type: type as 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      // It was held against the settings before.
      expectedOrigin: parseClientData(clientDataJSON)?.origin ?? '',
      expectedRPID: settings.relyingPartyId,
      // The counter of the passkey is compared after the signature, and not by the library before it.
      credential: { id, publicKey: key, counter: 0 },
      requireUserVerification: settings.userVerification === 'required',
    });
    const algorithm = readKeyAlgorithm(isoCBOR.decodeFirst<CoseKey>(key));
    if (!verified || !isCanonicalSignature(algorithm, Buffer.from(signature, 'base64url'))) return 'signature';
    const { newCounter, userVerified, credentialBackedUp, credentialDeviceType } = authenticationInfo;
    return {
      counter: newCounter,
      isUserVerified: userVerified,
      isBackedUp: credentialBackedUp,
      isBackupEligible: credentialDeviceType === 'multiDevice',
    };
  } catch {
    // The library throws plain errors without codes, and they may repeat what was sent.
    return findAssertionFault(library, settings, answer);
  }
}

function findAssertionFault(
  library: WebAuthnLibrary,
  settings: WebAuthnSettings,
  { id, rawId, type, clientDataJSON, authenticatorData }: AssertionResponse,
): PasskeyRefusalCode {
  const isAssertion = parseClientData(clientDataJSON)?.type === 'webauthn.get';
  if (id !== rawId || type !== 'public-key' || !isAssertion) return 'malformed';
  try {
    const data = Uint8Array.from(Buffer.from(authenticatorData, 'base64url'));
    return findAuthenticatorFault(library, settings, data) ?? 'signature';
  } catch {
    return 'malformed';
  }
}
