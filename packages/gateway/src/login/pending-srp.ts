import { type ClientStart, constantTimeEqual, fromHex, toHex, utf8 } from '@poolgate/srp';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { PendingSrpRecord } from '../records/index.ts';
import type { PendingSrp } from '../runtime/pending-srp-cache.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** Whose proof is awaited. A secret block of one is none of the other. */
export type SrpProofKind = 'password' | 'device';

const PURPOSES: Readonly<Record<SrpProofKind, string>> = { password: 'pending-srp', device: 'pending-device-srp' };

/** How long a private value of ours waits. */
const SERVER_MADE_LIFETIME_MS = 60_000;
/** The longest life of a challenge that Cognito allows: the provider decides within it. */
const CLIENT_MADE_LIFETIME_MS = 15 * 60_000;

// Hexadecimal digits. Whoever found another value with this end would have won nothing: the provider knows the whole one.
const SRP_A_END = 64;

/** Keeps a started login under the digest of its secret block, encrypted. */
export async function storePendingSrp(
  runtime: GatewayRuntime,
  prover: SrpProofKind,
  secretBlockB64: string,
  pending: PendingSrp,
): Promise<void> {
  const digestHex = digestSecretBlock(runtime, prover, secretBlockB64);
  const isClientMade = pending.aHex === undefined;
  const expiresAtMs = runtime.clock.now() + (isClientMade ? CLIENT_MADE_LIFETIME_MS : SERVER_MADE_LIFETIME_MS);
  const startEncrypted = runtime.keyRing.encrypt(PURPOSES[prover], utf8(JSON.stringify(pending)), digestHex);
  await runtime.records.pendingSrp.put({ digestHex, startEncrypted, expiresAtMs });
  if (isClientMade) runtime.pendingSrpCache.set(digestHex, { pending, expiresAtMs });
}

/** The started login that is stored for a secret block; undefined where there is none, or no longer. */
export async function findStoredSrp(
  runtime: GatewayRuntime,
  prover: SrpProofKind,
  secretBlockB64: string,
): Promise<PendingSrp | undefined> {
  const digestHex = digestSecretBlock(runtime, prover, secretBlockB64);
  const nowMs = runtime.clock.now();
  const cached = runtime.pendingSrpCache.get(digestHex);
  if (cached !== undefined) return cached.expiresAtMs > nowMs ? cached.pending : undefined;
  return decryptPending(runtime, prover, await runtime.records.pendingSrp.find(digestHex, nowMs));
}

/** Takes a started login away: of several answers at the same time one gets it. */
export async function consumePendingSrp(
  runtime: GatewayRuntime,
  prover: SrpProofKind,
  secretBlockB64: string,
): Promise<PendingSrp | undefined> {
  const digestHex = digestSecretBlock(runtime, prover, secretBlockB64);
  runtime.pendingSrpCache.delete(digestHex);
  return decryptPending(runtime, prover, await runtime.records.pendingSrp.consume(digestHex, runtime.clock.now()));
}

/** The digest of a session by which it is known again. */
export function digestSession({ engine }: Pick<GatewayDeps, 'engine'>, value: string): string {
  return toHex(engine.sha256(utf8(value)));
}

/** A start of SRP; with the private value only where the service made it. */
export type SrpStart = Pick<ClientStart, 'srpAHex'> & Partial<ClientStart>;

/** What is stored of a start. */
export function toPendingStart({ srpAHex, aHex }: SrpStart): Pick<PendingSrp, 'srpAEndHex' | 'aHex'> {
  return { srpAEndHex: srpAHex.slice(-SRP_A_END), ...(aHex === undefined ? {} : { aHex }) };
}

/** Whether this is the start of which that much was kept: of two, the ends of `SRP_A` differ as surely as digests do. */
export function isPendingStart({ srpAEndHex }: PendingSrp, { srpAHex }: SrpStart): boolean {
  return srpAEndHex.length > 0 && srpAHex.endsWith(srpAEndHex);
}

/** Whether a session is the handle of this login, the client's own token for it, or the provider's session. */
export function isPendingSession(
  deps: Pick<GatewayDeps, 'engine'>,
  { handle, sessionDigestHex }: PendingSrp,
  session: string,
): boolean {
  if (handle !== undefined && constantTimeEqual(utf8(handle), utf8(session))) return true;
  if (sessionDigestHex === undefined) return false;
  return constantTimeEqual(fromHex(sessionDigestHex), deps.engine.sha256(utf8(session)));
}

/** The digest of a secret block, which is another one for every pool, client and kind of proof. */
export function digestSecretBlock(
  { engine, userPoolId, clientId }: GatewayDeps,
  prover: SrpProofKind,
  secretBlockB64: string,
): string {
  return toHex(engine.sha256(utf8([PURPOSES[prover], userPoolId, clientId, secretBlockB64].join('\n'))));
}

const decoder = new TextDecoder();

function decryptPending(
  { keyRing }: GatewayDeps,
  prover: SrpProofKind,
  record: PendingSrpRecord | undefined,
): PendingSrp | undefined {
  const opened = record && keyRing.decrypt(PURPOSES[prover], record.startEncrypted, record.digestHex);
  return opened && (JSON.parse(decoder.decode(opened)) as PendingSrp);
}
