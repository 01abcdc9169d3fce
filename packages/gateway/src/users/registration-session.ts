import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';

const PURPOSE = 'registration';

/**
 * Sessions have one of two lengths, which depends only on the names that were sent, because a session of a taken name must look like any
 * other.
 */
const SESSION_BYTES = [1_280, 1_792] as const;

/** Longer names get the longer session, because the embedded pool's session contains a name twice. */
const SHORT_NAME_BYTES = 100;

/** The content of the session of a registration. */
interface RegistrationSessionContent {
  /** Digests of the names with which the registration can be confirmed. */
  readonly names: readonly string[];
  /** Absent if the provider returned none or a longer one, and if the name was taken. */
  readonly providerSession?: string;
  /** Whether the provider registered a user. Absent in sessions of 2.0.6. */
  readonly isRegistered?: boolean;
}

/** The session of a registration. */
export interface RegistrationSession {
  /** The provider's session; undefined if none. */
  readonly providerSession: string | undefined;
  /** Whether the provider registered a user for this session. False if the name was taken. */
  readonly isRegistered: boolean;
}

type RegistrationSessionDeps = Pick<GatewayDeps, 'keyRing' | 'userPoolId' | 'clientId'>;

/** Creates the session for the person who registers. It does not reveal whether a user was registered. */
export function encryptRegistrationSession(
  deps: RegistrationSessionDeps,
  names: readonly string[],
  registered: { readonly Session?: string } | undefined,
): string {
  const content: RegistrationSessionContent = {
    names: names.map(digestUsername),
    isRegistered: registered !== undefined,
  };
  const bytes = Buffer.alloc(encodeSession(names), ' ');
  const whole = Buffer.from(JSON.stringify({ ...content, providerSession: registered?.Session }));
  // A provider's session that does not fit is omitted. Cognito's is only used to log in after the confirmation.
  (whole.length > bytes.length ? Buffer.from(JSON.stringify(content)) : whole).copy(bytes);
  return deps.keyRing.encrypt(PURPOSE, bytes, createAssociatedData(deps));
}

function encodeSession(names: readonly string[]): number {
  const [short, long] = SESSION_BYTES;
  return names.every((name) => Buffer.byteLength(name.toLowerCase()) <= SHORT_NAME_BYTES) ? short : long;
}

/**
 * Decrypts the session of a registration with one of its names.
 * @throws {GatewayError} invalid_session: not issued here, or for another name
 */
export function decryptRegistrationSession(
  deps: RegistrationSessionDeps,
  name: string,
  session: string,
): RegistrationSession {
  const content = decryptContent(deps, session);
  if (content === undefined || !content.names.includes(digestUsername(name))) throw new GatewayError('invalid_session');
  return toRegistrationSession(content);
}

/** The same if the provider itself checks whether the session belongs to the request. @throws {GatewayError} invalid_session */
export function decryptAnyRegistrationSession(deps: RegistrationSessionDeps, session: string): RegistrationSession {
  const content = decryptContent(deps, session);
  if (content === undefined) throw new GatewayError('invalid_session');
  return toRegistrationSession(content);
}

/** Whether a session belongs to a registration of this name. */
export function isRegistrationSessionFor(deps: RegistrationSessionDeps, name: string, session: string): boolean {
  return decryptContent(deps, session)?.names.includes(digestUsername(name)) ?? false;
}

function decryptContent(deps: RegistrationSessionDeps, session: string): RegistrationSessionContent | undefined {
  const decrypted = deps.keyRing.decrypt(PURPOSE, session, createAssociatedData(deps));
  return decrypted && (JSON.parse(Buffer.from(decrypted).toString()) as RegistrationSessionContent);
}

function toRegistrationSession({ providerSession, isRegistered }: RegistrationSessionContent): RegistrationSession {
  return { providerSession, isRegistered: isRegistered ?? providerSession !== undefined };
}

function digestUsername(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}

function createAssociatedData({ userPoolId, clientId }: RegistrationSessionDeps): string {
  return `${userPoolId}/${clientId}`;
}
