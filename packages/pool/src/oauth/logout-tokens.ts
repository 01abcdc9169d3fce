import { generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, RandomPort } from '../kernel/ports.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { createJwtSigner, signJwts } from '../tokens/jwt.ts';
import { requireJwtSigners } from '../tokens/signing-keys.ts';
import type { SigningPorts } from '../tokens/token-ports.ts';
import { findClientOfPool } from './client-authentication.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** The recommendation of the specification. Every attempt signs a new token. */
const LIFE_SECONDS = 120;

/** The end of a session, as reported to a client. */
interface EndedSession {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly Sub: string;
  readonly SessionId: string;
}

/** Returns a logout token and its address; undefined if the client does not receive logout tokens or no longer exists. */
export async function createLogoutToken(
  ports: SigningPorts & SettingsPorts & ClockPort & RandomPort,
  { UserPoolId, ClientId, Sub, SessionId }: EndedSession,
): Promise<{ readonly Uri: string; readonly LogoutToken: string } | undefined> {
  const owner = await findClientOfPool(ports, UserPoolId, ClientId);
  const Uri = owner?.client.settings.extensions?.backchannelLogoutUri;
  if (owner === undefined || Uri === undefined) return undefined;
  const { id } = await requireJwtSigners(ports, owner.pool);
  const iat = Math.floor(ports.clock.now() / 1000);
  const claims = {
    iss: owner.pool.settings.issuer,
    sub: Sub,
    aud: ClientId,
    iat,
    exp: iat + LIFE_SECONDS,
    jti: generateUuid(ports.random),
    events: { [EVENT]: {} },
    sid: SessionId,
  };
  const signer = createJwtSigner(id.kid, id.key, 'logout+jwt');
  const [LogoutToken = ''] = await signJwts(ports.signTexts, [{ signer, claims }]);
  return { Uri, LogoutToken };
}
