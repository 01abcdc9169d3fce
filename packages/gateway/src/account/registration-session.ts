import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';

const PURPOSE = 'registration';

/** All sessions are of one length, whatever is in them. It is enough for a session of the embedded pool. */
const BYTES = 1_152;

/** Of a longer one nothing is kept: Cognito's does no more at the confirmation than to log in. */
const MOST_SESSION = 960;

/** What the service gave to whoever registered. */
interface Kept {
  /** Digests of the names under which the registration can be confirmed. */
  readonly names: readonly string[];
  /** Absent where the provider gave none, or one of no use, and where nobody was registered. */
  readonly providerSession?: string;
}

type Sealing = Pick<GatewayDeps, 'keyRing' | 'userPoolId' | 'clientId'>;

/** A session for whoever registers. It does not tell whether anybody was registered. */
export function sealRegistration(deps: Sealing, names: readonly string[], providerSession: string | undefined): string {
  const kept: Kept = {
    names: names.map(digestOf),
    ...(providerSession === undefined || providerSession.length > MOST_SESSION ? {} : { providerSession }),
  };
  const bytes = Buffer.alloc(BYTES, ' ');
  bytes.write(JSON.stringify(kept));
  return deps.keyRing.seal(PURPOSE, bytes, boundTo(deps));
}

/**
 * The provider's session of a registration; undefined where there is none.
 * @throws {GatewayError} invalid_session: not one that was given here, or for another name
 */
export function openRegistration(deps: Sealing, name: string, session: string): string | undefined {
  const opened = deps.keyRing.open(PURPOSE, session, boundTo(deps));
  const kept = opened && (JSON.parse(Buffer.from(opened).toString()) as Kept);
  if (kept === undefined || !kept.names.includes(digestOf(name))) throw new GatewayError('invalid_session');
  return kept.providerSession;
}

function digestOf(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}

function boundTo({ userPoolId, clientId }: Sealing): string {
  return `${userPoolId}/${clientId}`;
}
