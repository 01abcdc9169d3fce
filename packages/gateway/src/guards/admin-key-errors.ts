import type { CallContext } from '@poolgate/provider';
import type { AuthorizationRequest, Clock, GatewayDeps } from '../deps.ts';
import { recordGatewayEvent } from '../events/record.ts';
import { clientNetwork } from './address.ts';
import type { SignatureErrorReason } from './sigv4-authorization.ts';

/** Why nobody privileged is asking, or not privileged enough. */
export type AdminKeyErrorReason = SignatureErrorReason | 'unknown_key' | 'out_of_scope';

/** A refusal in words that fit both entry points. The message never tells whether a key exists. */
export class AdminKeyError extends Error {
  override readonly name = 'AdminKeyError';
  readonly reason: AdminKeyErrorReason;
  /** The key that was named, where there is one of that id. */
  readonly keyId: string | undefined;

  constructor(reason: AdminKeyErrorReason, message: string, options: ErrorOptions & { readonly keyId?: string } = {}) {
    super(message, options);
    this.reason = reason;
    this.keyId = options.keyId;
  }
}

/** How many refusals are recorded in a minute; one of each network at most. */
const MAX_RECORDS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * Records an admin key that was refused, known or not, so that noting it costs the same. Whoever sends refused keys by
 * the thousand fills no log: one a minute and network is recorded, and few in all.
 */
export async function recordRefusedKey(
  deps: GatewayDeps,
  { reason, keyId }: AdminKeyError,
  context: CallContext,
): Promise<void> {
  if (reason === 'missing' || !allowanceOf(deps).mayRecord(context.sourceAddress)) return;
  await recordGatewayEvent(deps, context, {
    type: 'admin.refused',
    outcome: 'failure',
    // A key that lacks a scope was proven; of any other only its id was said.
    ...(reason === 'out_of_scope' && keyId !== undefined ? { actor: { kind: 'admin', id: keyId } } : {}),
    details: { reason, ...(keyId === undefined ? {} : { key: keyId }) },
  });
}

/** Records somebody known who may not do what operators may. Whom the request names was typed, and is not kept. */
export async function recordRefusedOperator(
  deps: GatewayDeps,
  { caller, route }: Pick<AuthorizationRequest, 'caller' | 'route'>,
  context: CallContext,
): Promise<void> {
  if (!allowanceOf(deps).mayRecord(context.sourceAddress)) return;
  const id = caller.kind === 'user' ? caller.sub : caller.keyId;
  await recordGatewayEvent(deps, context, {
    type: 'admin.refused',
    outcome: 'failure',
    actor: { kind: caller.kind, id },
    details: { reason: 'no_operator', route },
  });
}

interface RecordAllowance {
  mayRecord(address: string): boolean;
}

const allowances = new WeakMap<GatewayDeps, RecordAllowance>();

function allowanceOf(deps: GatewayDeps): RecordAllowance {
  const known = allowances.get(deps) ?? createAllowance(deps.clock);
  allowances.set(deps, known);
  return known;
}

function createAllowance(clock: Clock): RecordAllowance {
  const networks = new Set<string>();
  let beganAtMs = Number.NEGATIVE_INFINITY;
  return {
    mayRecord(address) {
      const nowMs = clock.now();
      // Either way: a clock that is set back does not silence what comes.
      if (Math.abs(nowMs - beganAtMs) >= MINUTE_MS) {
        networks.clear();
        beganAtMs = nowMs;
      }
      const network = clientNetwork(address);
      if (networks.has(network) || networks.size >= MAX_RECORDS_PER_MINUTE) return false;
      networks.add(network);
      return true;
    },
  };
}
