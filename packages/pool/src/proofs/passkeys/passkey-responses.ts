import { hasDuplicateMembers, ProviderError } from '@poolgate/provider';

/** The answer of an authenticator to a registration, as far as it counts. Binary values are base64url, not checked yet. */
export interface RegistrationResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly attachment: string | undefined;
  readonly transports: readonly unknown[];
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** The answer of an authenticator to a login, as far as it counts. Binary values are base64url, not checked yet. */
export interface AssertionResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads `RegistrationResponseJSON` (WebAuthn Level 3 §5.1), an object or its JSON text.
 * @throws {ProviderError} `InvalidParameterException`, reason `invalid_credential`: it has not that form
 */
export function parseRegistrationResponse(credential: unknown): RegistrationResponse {
  const outer = requireMembers(typeof credential === 'string' ? parseCredential(credential) : credential);
  const response = requireMembers(outer.response);
  const { transports = [] } = response;
  return {
    ...readEnvelope(outer),
    attachment: typeof outer.authenticatorAttachment === 'string' ? outer.authenticatorAttachment : undefined,
    transports: Array.isArray(transports) ? transports : [],
    clientDataJSON: requireText(response, 'clientDataJSON'),
    attestationObject: requireText(response, 'attestationObject'),
  };
}

/**
 * Reads the JSON text of `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1).
 * @throws {ProviderError} `InvalidParameterException`, reason `invalid_credential`: it has not that form
 */
export function parseAssertionResponse(credential: string): AssertionResponse {
  const outer = requireMembers(parseCredential(credential));
  const response = requireMembers(outer.response);
  const { userHandle } = response;
  return {
    ...readEnvelope(outer),
    clientDataJSON: requireText(response, 'clientDataJSON'),
    authenticatorData: requireText(response, 'authenticatorData'),
    signature: requireText(response, 'signature'),
    // Browsers of before Level 3 write null.
    userHandle: userHandle === undefined || userHandle === null ? undefined : requireText(response, 'userHandle'),
  };
}

/** The credential id that an answer names, before the answer is parsed; empty where it names none. */
export function readCredentialId(credential: string): string {
  try {
    const { id }: { readonly id?: unknown } = JSON.parse(credential) ?? {};
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

function readEnvelope(outer: Members) {
  return { id: requireText(outer, 'id'), rawId: requireText(outer, 'rawId'), type: requireText(outer, 'type') };
}

function parseCredential(text: string): unknown {
  const value = parseJsonText(text);
  if (hasDuplicateMembers(text, value)) throw malformedCredentialError('names a member twice');
  return value;
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is not repeated, not even in a cause.
    throw malformedCredentialError('is not JSON');
  }
}

function requireMembers(value: unknown): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw malformedCredentialError('is not an object with a response in it');
}

function requireText(members: Members, name: string): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof value === 'string') return value;
  throw malformedCredentialError(`has no ${name}`);
}

function malformedCredentialError(problem: string): ProviderError {
  return new ProviderError('InvalidParameterException', `The credential ${problem}.`, { reason: 'invalid_credential' });
}

/** WebAuthn Level 3 §4, Credential ID. */
const MAX_ID_BYTES = 1023;

/** Whether a text can be the id of a credential: base64url of 1 to 1023 bytes. */
export function isCredentialId(text: string): boolean {
  const bytes = decodeBase64Url(text);
  return bytes !== undefined && bytes.length > 0 && bytes.length <= MAX_ID_BYTES;
}

/** The bytes that a text stands for; undefined where it is not the one way to write them in base64url (RFC 4648 §5, no padding). */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
  return Buffer.from(bytes).toString('base64url') === text ? bytes : undefined;
}

/** What the browser signed (WebAuthn Level 3 §5.8.1), as far as it counts. */
export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
  /** Whether the page lay inside another one. */
  readonly isFramed: boolean;
}

/** The client data behind a base64url text; undefined where there are none. */
export function parseClientData(clientDataJSON: string): ClientData | undefined {
  const bytes = decodeBase64Url(clientDataJSON);
  const data = bytes && decodeJson(bytes);
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, challenge, origin, crossOrigin = false, topOrigin } = data as Members;
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
  if (typeof crossOrigin !== 'boolean') return undefined;
  return { type, challenge, origin, isFramed: crossOrigin || topOrigin !== undefined };
}

function decodeJson(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return hasDuplicateMembers(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
