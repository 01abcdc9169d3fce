import { hasDuplicateMembers, ProviderError } from '@poolgate/provider';

/** The answer of an authenticator to a registration, as far as it counts. Binary values are base64url, not checked yet. */
export interface RegistrationAnswer {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly attachment: string | undefined;
  readonly transports: readonly unknown[];
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** The answer of an authenticator to a login, as far as it counts. Binary values are base64url, not checked yet. */
export interface AssertionAnswer {
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
export function readRegistration(credential: unknown): RegistrationAnswer {
  const outer = membersOf(typeof credential === 'string' ? parsed(credential) : credential);
  const response = membersOf(outer.response);
  const { transports = [] } = response;
  return {
    ...envelope(outer),
    attachment: typeof outer.authenticatorAttachment === 'string' ? outer.authenticatorAttachment : undefined,
    transports: Array.isArray(transports) ? transports : [],
    clientDataJSON: textOf(response, 'clientDataJSON'),
    attestationObject: textOf(response, 'attestationObject'),
  };
}

/**
 * Reads the JSON text of `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1).
 * @throws {ProviderError} `InvalidParameterException`, reason `invalid_credential`: it has not that form
 */
export function readAssertion(credential: string): AssertionAnswer {
  const outer = membersOf(parsed(credential));
  const response = membersOf(outer.response);
  const { userHandle } = response;
  return {
    ...envelope(outer),
    clientDataJSON: textOf(response, 'clientDataJSON'),
    authenticatorData: textOf(response, 'authenticatorData'),
    signature: textOf(response, 'signature'),
    // Browsers of before Level 3 write null.
    userHandle: userHandle === undefined || userHandle === null ? undefined : textOf(response, 'userHandle'),
  };
}

function envelope(outer: Members) {
  return { id: textOf(outer, 'id'), rawId: textOf(outer, 'rawId'), type: textOf(outer, 'type') };
}

function parsed(text: string): unknown {
  const value = parsedText(text);
  if (hasDuplicateMembers(text, value)) throw malformed('names a member twice');
  return value;
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is not repeated, not even in a cause.
    throw malformed('is not JSON');
  }
}

function membersOf(value: unknown): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw malformed('is not an object with a response in it');
}

function textOf(members: Members, name: string): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof value === 'string') return value;
  throw malformed(`has no ${name}`);
}

function malformed(problem: string): ProviderError {
  return new ProviderError('InvalidParameterException', `The credential ${problem}.`, { reason: 'invalid_credential' });
}

/** WebAuthn Level 3 §4, Credential ID. */
const MAX_ID_BYTES = 1023;

/** Whether a text can be the id of a credential: base64url of 1 to 1023 bytes. */
export function isCredentialId(text: string): boolean {
  const bytes = bytesOf(text);
  return bytes !== undefined && bytes.length > 0 && bytes.length <= MAX_ID_BYTES;
}

/** The bytes that a text stands for; undefined where it is not the one way to write them in base64url (RFC 4648 §5, no padding). */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
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
export function readClientData(clientDataJSON: string): ClientData | undefined {
  const bytes = bytesOf(clientDataJSON);
  const data = bytes && decoded(bytes);
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, challenge, origin, crossOrigin = false, topOrigin } = data as Members;
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
  if (typeof crossOrigin !== 'boolean') return undefined;
  return { type, challenge, origin, isFramed: crossOrigin || topOrigin !== undefined };
}

function decoded(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return hasDuplicateMembers(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
