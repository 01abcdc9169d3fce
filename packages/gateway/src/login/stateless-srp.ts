import type { CallContext, SecretBlockContent } from '@poolgate/provider';
import type { PendingSrp } from '../runtime/pending-srp-cache.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { digestSecretBlock, findStoredSrp, type SrpProofKind, type SrpStart } from './pending-srp.ts';

const CHALLENGES: Readonly<Record<SrpProofKind, SecretBlockContent['ChallengeName']>> = {
  password: 'PASSWORD_VERIFIER',
  device: 'DEVICE_PASSWORD_VERIFIER',
};

const PURPOSE = 'srp-session';
/** Neither a provider's session nor a private value starts like this. */
const PREFIX = 'srp.';
const EMPTY_MESSAGE = new Uint8Array();

/**
 * Creates the call that starts SRP. If client and provider carry everything needed, nothing is stored. A private value of the service or
 * the client's own token needs a row.
 */
export function toSrpCall(call: CallContext, { aHex }: SrpStart, sessionToken?: string): CallContext {
  return aHex === undefined && sessionToken === undefined ? { ...call, carriesSrpStart: true } : call;
}

/** Whether a secret block carries its login's data. */
export async function isStatelessSrp(
  { provider, clientId }: GatewayRuntime,
  prover: SrpProofKind,
  secretBlockB64: string,
): Promise<boolean> {
  const content = await provider.readSecretBlock({ ClientId: clientId, SecretBlock: secretBlockB64 });
  return content?.ChallengeName === CHALLENGES[prover];
}

/** Creates a session that is valid with this secret block only. It needs no storage, because decrypting verifies it. */
export function createStatelessSession(runtime: GatewayRuntime, secretBlockB64: string): string {
  return (
    PREFIX + runtime.keyRing.encrypt(PURPOSE, EMPTY_MESSAGE, digestSecretBlock(runtime, 'password', secretBlockB64))
  );
}

/** Whether a session has the format of {@link createStatelessSession}. */
export function isStatelessSession(session: string): boolean {
  return session.startsWith(PREFIX);
}

/**
 * Returns the started login of a secret block: from the block itself, or from the store. Undefined if none or expired.
 * @param session the client's session
 */
export async function findPendingSrp(
  runtime: GatewayRuntime,
  prover: SrpProofKind,
  { secretBlockB64, session }: { readonly secretBlockB64: string; readonly session: string },
): Promise<PendingSrp | undefined> {
  const { provider, clientId } = runtime;
  const ofDevice = prover === 'device' ? { Session: session } : {};
  const content = await provider.readSecretBlock({ ClientId: clientId, SecretBlock: secretBlockB64, ...ofDevice });
  if (content?.ChallengeName !== CHALLENGES[prover]) return findStoredSrp(runtime, prover, secretBlockB64);
  const { Username, UserIdForSrp, SrpAEnd } = content;
  const isOwnSession = prover === 'device' || opensStatelessSession(runtime, secretBlockB64, session);
  return {
    username: Username,
    userIdForSrp: UserIdForSrp,
    srpAEndHex: SrpAEnd,
    ...(isOwnSession ? { handle: session } : {}),
  };
}

function opensStatelessSession(runtime: GatewayRuntime, secretBlockB64: string, session: string): boolean {
  if (!isStatelessSession(session)) return false;
  const encrypted = session.slice(PREFIX.length);
  return (
    runtime.keyRing.decrypt(PURPOSE, encrypted, digestSecretBlock(runtime, 'password', secretBlockB64)) !== undefined
  );
}
