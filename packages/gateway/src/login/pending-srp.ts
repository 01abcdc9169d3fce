import { type ClientStart, constantTimeEqual, fromHex, toHex, utf8 } from '@poolgate/srp';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { PendingSrpRecord } from '../records/index.ts';
import type { PendingSrp } from '../runtime/pending-srp-cache.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** The kind of pending proof. Secret blocks of one kind are invalid for the other. */
export type SrpProofKind = 'password' | 'device';

const PURPOSES: Readonly<Record<SrpProofKind, string>> = { password: 'pending-srp', device: 'pending-device-srp' };

/** The lifetime of the service's own private value. */
const SERVER_MADE_LIFETIME_MS = 60_000;
/** The maximum lifetime of a challenge in Cognito; the provider's own limit applies within it. */
const CLIENT_MADE_LIFETIME_MS = 15 * 60_000;

// Hexadecimal digits. Finding another value with this end would not help, because the provider knows the whole value.
const SRP_A_END = 64;

/** Stores a started login, encrypted, under the digest of its secret block. */
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

/** Returns the started login of a secret block; undefined if none or expired. */
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

/** Removes and returns a started login. Of several simultaneous answers, one gets it. */
export async function consumePendingSrp(
  runtime: GatewayRuntime,
  prover: SrpProofKind,
  secretBlockB64: string,
): Promise<PendingSrp | undefined> {
  const digestHex = digestSecretBlock(runtime, prover, secretBlockB64);
  runtime.pendingSrpCache.delete(digestHex);
  return decryptPending(runtime, prover, await runtime.records.pendingSrp.consume(digestHex, runtime.clock.now()));
}

/** The digest that identifies a session. */
export function digestSession({ engine }: Pick<GatewayDeps, 'engine'>, value: string): string {
  return toHex(engine.sha256(utf8(value)));
}

/** A start of SRP, with the private value only if the service generated it. */
export type SrpStart = Pick<ClientStart, 'srpAHex'> & Partial<ClientStart>;

/** The stored part of a start. */
export function toPendingStart({ srpAHex, aHex }: SrpStart): Pick<PendingSrp, 'srpAEndHex' | 'aHex'> {
  return { srpAEndHex: srpAHex.slice(-SRP_A_END), ...(aHex === undefined ? {} : { aHex }) };
}

/** Whether this start matches the stored part: the ends of two `SRP_A` values differ as reliably as their digests. */
export function isPendingStart({ srpAEndHex }: PendingSrp, { srpAHex }: SrpStart): boolean {
  return srpAEndHex.length > 0 && srpAHex.endsWith(srpAEndHex);
}

/** Whether a session is this login's handle, the client's own token for it, or the provider's session. */
export function isPendingSession(
  deps: Pick<GatewayDeps, 'engine'>,
  { handle, sessionDigestHex }: PendingSrp,
  session: string,
): boolean {
  if (handle !== undefined && constantTimeEqual(utf8(handle), utf8(session))) return true;
  if (sessionDigestHex === undefined) return false;
  return constantTimeEqual(fromHex(sessionDigestHex), deps.engine.sha256(utf8(session)));
}

/** The digest of a secret block, which differs for every pool, client and kind of proof. */
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
