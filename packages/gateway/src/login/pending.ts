import { type ClientStart, constantTimeEqual, fromHex, toHex, utf8 } from '@poolgate/srp';
import type { GatewayDeps } from '../deps.ts';
import type { PendingSrpRecord } from '../records/index.ts';

/** Whose proof is awaited. A secret block of one is none of the other. */
export type Prover = 'password' | 'device';

/** What the gateway must remember between the `SRP_A` and the proof. */
export interface PendingSrp {
  /** As it was typed. */
  readonly username: string;
  /** The user's canonical name; of a device its key. */
  readonly userIdForSrp: string;
  /** Of `SRP_A` in its canonical form: the value itself would be most of a row that every login writes. */
  readonly srpADigestHex: string;
  /** Digests of what the client may send as session: the handle, and its own token where it gave one. */
  readonly sessionDigestsHex: readonly string[];
  /** The private value, where the service made it. Good for one answer. */
  readonly aHex?: string;
  /** Where the provider gave one. */
  readonly providerSession?: string;
}

const PURPOSES: Readonly<Record<Prover, string>> = { password: 'pending-srp', device: 'pending-device-srp' };

/** How long a private value of ours waits. */
const SERVER_MADE_LIFE_MS = 60_000;
/** The longest life of a challenge that Cognito allows: the provider decides within it. */
const CLIENT_MADE_LIFE_MS = 15 * 60_000;

/** Keeps a started login under the digest of its secret block, sealed. */
export async function putPending(
  deps: GatewayDeps,
  prover: Prover,
  secretBlockB64: string,
  pending: PendingSrp,
): Promise<void> {
  const digestHex = keyOf(deps, prover, secretBlockB64);
  const lifeMs = pending.aHex === undefined ? CLIENT_MADE_LIFE_MS : SERVER_MADE_LIFE_MS;
  await deps.records.putPendingSrp({
    digestHex,
    sealed: deps.keyRing.seal(PURPOSES[prover], utf8(JSON.stringify(pending)), digestHex),
    expiresAtMs: deps.clock.now() + lifeMs,
  });
}

/** The started login of a secret block; undefined where there is none, or no longer. */
export async function findPending(
  deps: GatewayDeps,
  prover: Prover,
  secretBlockB64: string,
): Promise<PendingSrp | undefined> {
  const record = await deps.records.pendingSrp(keyOf(deps, prover, secretBlockB64), deps.clock.now());
  return open(deps, prover, record);
}

/** Takes a started login away: of several answers at the same time one gets it. */
export async function takePending(
  deps: GatewayDeps,
  prover: Prover,
  secretBlockB64: string,
): Promise<PendingSrp | undefined> {
  const record = await deps.records.takePendingSrp(keyOf(deps, prover, secretBlockB64), deps.clock.now());
  return open(deps, prover, record);
}

/** The digest of a value by which it is known again: a session handle, a client's token, an `SRP_A`. */
export function digestOf({ engine }: Pick<GatewayDeps, 'engine'>, value: string): string {
  return toHex(engine.sha256(utf8(value)));
}

/** A start of SRP; with the private value only where the service made it. */
export type StartedSrp = Pick<ClientStart, 'srpAHex'> & Partial<ClientStart>;

/** What is kept of a start. */
export function startKept(
  deps: Pick<GatewayDeps, 'engine'>,
  { srpAHex, aHex }: StartedSrp,
): Pick<PendingSrp, 'srpADigestHex' | 'aHex'> {
  return { srpADigestHex: digestOf(deps, srpAHex), ...(aHex === undefined ? {} : { aHex }) };
}

/** Whether a session is the handle of this login or the client's own token for it. */
export function isSessionOf(deps: Pick<GatewayDeps, 'engine'>, pending: PendingSrp, session: string): boolean {
  const digest = deps.engine.sha256(utf8(session));
  return pending.sessionDigestsHex.map((known) => constantTimeEqual(fromHex(known), digest)).includes(true);
}

function keyOf({ engine, userPoolId, clientId }: GatewayDeps, prover: Prover, secretBlockB64: string): string {
  return toHex(engine.sha256(utf8([PURPOSES[prover], userPoolId, clientId, secretBlockB64].join('\n'))));
}

const decoder = new TextDecoder();

function open({ keyRing }: GatewayDeps, prover: Prover, record: PendingSrpRecord | undefined): PendingSrp | undefined {
  const opened = record && keyRing.open(PURPOSES[prover], record.sealed, record.digestHex);
  return opened && (JSON.parse(decoder.decode(opened)) as PendingSrp);
}
