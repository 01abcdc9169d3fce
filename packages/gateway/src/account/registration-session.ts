import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';

const PURPOSE = 'registration';

/** All sessions are of one length, whatever is in them. It is enough for a session of the embedded pool. */
const SESSION_BYTES = 1_152;

/** Of a longer one nothing is kept: Cognito's does no more at the confirmation than to log in. */
const MAX_PROVIDER_SESSION_LENGTH = 960;

/** What the service gave to whoever registered. */
interface RegistrationSessionContent {
  /** Digests of the names under which the registration can be confirmed. */
  readonly names: readonly string[];
  /** Absent where the provider gave none, or one of no use, and where nobody was registered. */
  readonly providerSession?: string;
}

type RegistrationSessionDeps = Pick<GatewayDeps, 'keyRing' | 'userPoolId' | 'clientId'>;

/** A session for whoever registers. It does not tell whether anybody was registered. */
export function encryptRegistrationSession(
  deps: RegistrationSessionDeps,
  names: readonly string[],
  providerSession: string | undefined,
): string {
  const content: RegistrationSessionContent = {
    names: names.map(usernameDigest),
    ...(providerSession === undefined || providerSession.length > MAX_PROVIDER_SESSION_LENGTH
      ? {}
      : { providerSession }),
  };
  const bytes = Buffer.alloc(SESSION_BYTES, ' ');
  bytes.write(JSON.stringify(content));
  return deps.keyRing.encrypt(PURPOSE, bytes, registrationAssociatedData(deps));
}

/**
 * The provider's session of a registration; undefined where there is none.
 * @throws {GatewayError} invalid_session: not one that was given here, or for another name
 */
export function decryptRegistrationSession(
  deps: RegistrationSessionDeps,
  name: string,
  session: string,
): string | undefined {
  const decrypted = deps.keyRing.decrypt(PURPOSE, session, registrationAssociatedData(deps));
  const content = decrypted && (JSON.parse(Buffer.from(decrypted).toString()) as RegistrationSessionContent);
  if (content === undefined || !content.names.includes(usernameDigest(name))) throw new GatewayError('invalid_session');
  return content.providerSession;
}

function usernameDigest(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}

function registrationAssociatedData({ userPoolId, clientId }: RegistrationSessionDeps): string {
  return `${userPoolId}/${clientId}`;
}
