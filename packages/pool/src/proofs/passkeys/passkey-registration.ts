/**
 * Passkeys: registration and assertion, using `@simplewebauthn/server`. Unknown users get decoy passkeys, whose responses take the same
 * work as real ones.
 */
import { createHash } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import { isAllowedOrigin } from '../../settings/relying-party.ts';
import type { WebAuthnSettings } from '../../store/pool-and-client-settings.ts';
import type { PasskeyRecord } from '../../store/records.ts';
import { findAuthenticatorFault } from './authenticator-fault.ts';
import { findAttestationFault } from './check-attestation.ts';
import { isValidPasskeyKey, PASSKEY_ALGORITHMS } from './cose-keys.ts';
import { passkeyRegistrationError } from './passkey-errors.ts';
import type { AuthenticatorAttachment } from './passkey-names.ts';
import type { PasskeyRefusalCode } from './passkey-refusals.ts';
import { type ClientData, decodeBase64Url, isCredentialId, type RegistrationResponse } from './passkey-responses.ts';
import { loadWebAuthnLibrary, type WebAuthnLibrary } from './webauthn-library.ts';

/** What a registration proved about a new credential. */
export type NewPasskey = Pick<
  PasskeyRecord,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'attachment' | 'aaguid' | 'isBackupEligible' | 'isBackedUp'
>;

/**
 * Verifies an authenticator's response to creation options. Its challenge was looked up and consumed before.
 * @throws {ProviderError} reason `invalid_credential`; `WebAuthnCredentialNotSupportedException`, `WebAuthnOriginNotAllowedException` or
 *   `WebAuthnRelyingPartyMismatchException`
 * @see https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
 */
export async function verifyRegistration(
  settings: WebAuthnSettings,
  answer: RegistrationResponse,
  clientData: ClientData,
): Promise<NewPasskey> {
  if (clientData.type !== 'webauthn.create' || !isCredentialId(answer.id)) throw passkeyRegistrationError('malformed');
  if (clientData.isFramed || !isAllowedOrigin(settings, clientData.origin)) throw passkeyRegistrationError('origin');
  const library = await loadWebAuthnLibrary();
  try {
    checkAttestation(library, settings, answer);
    return await checkRegistration(library, settings, answer, clientData);
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    // The library throws plain errors without codes.
    throw passkeyRegistrationError(findRegistrationFault(library, settings, answer), cause);
  }
}

function findRegistrationFault(
  library: WebAuthnLibrary,
  settings: WebAuthnSettings,
  answer: RegistrationResponse,
): PasskeyRefusalCode {
  if (answer.id !== answer.rawId || answer.type !== 'public-key') return 'malformed';
  try {
    const { authenticatorData } = readAttestation(library, answer);
    return (
      findAuthenticatorFault(settings, library.parseAuthenticatorData(authenticatorData)) ?? 'attestation_statement'
    );
  } catch {
    return 'malformed';
  }
}

const NO_BYTES = new Uint8Array();

/** Checks what the library accepts, or rejects with an indistinct error. */
function checkAttestation(library: WebAuthnLibrary, settings: WebAuthnSettings, answer: RegistrationResponse): void {
  const { isoCBOR, parseAuthenticatorData, convertAAGUIDToString } = library;
  const { format, statement, authenticatorData } = readAttestation(library, answer);
  const data = parseAuthenticatorData(authenticatorData);
  const idHash = createHash('sha256').update(settings.relyingPartyId).digest();
  if (!isSameBytes(data.rpIdHash, idHash)) throw passkeyRegistrationError('rp_id');
  const { credentialID = NO_BYTES, credentialPublicKey = NO_BYTES, aaguid = NO_BYTES } = data;
  if (Buffer.from(credentialID).toString('base64url') !== answer.id) throw passkeyRegistrationError('malformed');
  const key = requireCborMap(isoCBOR.decodeFirst(credentialPublicKey));
  if (!isValidPasskeyKey(key)) throw passkeyRegistrationError('public_key');
  const fault = findAttestationFault({ format, statement, aaguid: convertAAGUIDToString(aaguid), key });
  if (fault !== undefined) throw passkeyRegistrationError(fault);
}

/** WebAuthn Level 3 §6.5.4: exactly three members. */
function readAttestation({ isoCBOR }: WebAuthnLibrary, { attestationObject }: RegistrationResponse) {
  const bytes = decodeBase64Url(attestationObject);
  if (bytes === undefined) throw passkeyRegistrationError('malformed');
  const object = requireCborMap(isoCBOR.decodeFirst(bytes));
  const authenticatorData: unknown = object.get('authData');
  // The library reads only up to the end of the map, and writes in the canonical form.
  const isAll = object.size === 3 && isSameBytes(isoCBOR.encode(object), bytes);
  if (!isAll || !(authenticatorData instanceof Uint8Array)) throw passkeyRegistrationError('malformed');
  return {
    format: object.get('fmt'),
    statement: requireCborMap(object.get('attStmt')),
    authenticatorData: Uint8Array.from(authenticatorData),
  };
}

type CborMap = Extract<Parameters<WebAuthnLibrary['isoCBOR']['encode']>[0], ReadonlyMap<unknown, unknown>>;

function requireCborMap(decoded: unknown): CborMap {
  if (decoded instanceof Map) return decoded;
  throw passkeyRegistrationError('malformed');
}

async function checkRegistration(
  { verifyRegistrationResponse }: WebAuthnLibrary,
  settings: WebAuthnSettings,
  answer: RegistrationResponse,
  clientData: ClientData,
): Promise<NewPasskey> {
  const { id, rawId, clientDataJSON, attestationObject } = answer;
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      // The library validates it.
      type: answer.type as 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: clientData.challenge,
    // It was checked against the settings before.
    expectedOrigin: clientData.origin,
    expectedRPID: settings.relyingPartyId,
    requireUserPresence: true,
    requireUserVerification: settings.userVerification === 'required',
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  });
  if (registrationInfo === undefined) throw passkeyRegistrationError('attestation_statement');
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: filterKnownTransports(answer.transports),
    attachment: parseAttachment(answer.attachment),
    aaguid,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

/** WebAuthn Level 3 §5.8.4: browsers ignore unknown values, so only these are stored. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

function filterKnownTransports(given: readonly unknown[]): readonly string[] {
  return TRANSPORTS.filter((transport) => given.includes(transport));
}

function parseAttachment(text: string | undefined): AuthenticatorAttachment {
  return text === 'platform' || text === 'cross-platform' ? text : null;
}
