import { isAllowedOrigin } from '../../settings/relying-party.ts';
import type { WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PasskeyRecord } from '../../store/records.ts';
import { findAuthenticatorFault } from './authenticator-fault.ts';
import { type CoseKey, readKeyAlgorithm } from './cose-keys.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import { type AssertionResponse, decodeBase64Url, isCredentialId, parseClientData } from './passkey-responses.ts';
import { isCanonicalSignature } from './passkey-signatures.ts';
import { loadWebAuthnLibrary, type WebAuthnLibrary } from './webauthn-library.ts';

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
  const fault = findClientFault(answer, expected);
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

/** Checks that the library omits or does more loosely: it accepts padding, and pages in frames that it cannot name. */
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
        // The library validates it.
        type: type as 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      // It was checked against the settings before.
      expectedOrigin: parseClientData(clientDataJSON)?.origin ?? '',
      expectedRPID: settings.relyingPartyId,
      // The passkey's counter is compared after the signature, and not by the library before it.
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
    // The library throws plain errors without codes, and they may repeat the input.
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
