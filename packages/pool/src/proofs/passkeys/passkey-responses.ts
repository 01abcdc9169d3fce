import { hasDuplicateMembers, ProviderError } from '@poolgate/provider';

/** The relevant parts of an authenticator's response to a registration. Binary values are unchecked base64url. */
export interface RegistrationResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly attachment: string | undefined;
  readonly transports: readonly unknown[];
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** The relevant parts of an authenticator's response to a login. Binary values are unchecked base64url. */
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
 * Parses `RegistrationResponseJSON` (WebAuthn Level 3 §5.1), an object or its JSON text.
 * @throws {ProviderError} `InvalidParameterException`, reason `invalid_credential`: it does not have this form
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
 * Parses the JSON text of `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1).
 * @throws {ProviderError} `InvalidParameterException`, reason `invalid_credential`: it does not have this form
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
    // Browsers before Level 3 send null.
    userHandle: userHandle === undefined || userHandle === null ? undefined : requireText(response, 'userHandle'),
  };
}

/** Returns the credential id of a response before it is parsed; empty if it has none. */
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

/** Decodes base64url; undefined unless the text is the canonical form of its bytes (RFC 4648 §5, no padding). */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
  return Buffer.from(bytes).toString('base64url') === text ? bytes : undefined;
}

/** The relevant parts of what the browser signed (WebAuthn Level 3 §5.8.1). */
export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
  /** Whether the page was inside another one. */
  readonly isFramed: boolean;
}

/** Parses the client data of a base64url text; undefined if invalid. */
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
