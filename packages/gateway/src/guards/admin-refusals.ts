import type { CallContext } from '@poolgate/provider';
import type { AuthorizationQuestion, Clock, GatewayDeps } from '../deps.ts';
import { recordGatewayEvent } from '../events/record.ts';
import { clientNetwork } from './address.ts';
import type { SignatureFaultReason } from './sigv4-authorization.ts';

/** Why nobody privileged is asking, or not privileged enough. */
export type AdminRefusalReason = SignatureFaultReason | 'unknown_key' | 'out_of_scope';

/** A refusal in words that fit both doors. The message never tells whether a key exists. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
  readonly reason: AdminRefusalReason;
  /** The key that was named, where there is one of that id. */
  readonly keyId: string | undefined;

  constructor(reason: AdminRefusalReason, message: string, options: ErrorOptions & { readonly keyId?: string } = {}) {
    super(message, options);
    this.reason = reason;
    this.keyId = options.keyId;
  }
}

/** How many refusals are noted in a minute; one of each network at most. */
const MOST_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * Tells of an admin key that was refused, known or not, so that noting it costs the same. Whoever sends refused keys by
 * the thousand fills no log: one a minute and network is noted, and few in all.
 */
export async function noteRefusal(
  deps: GatewayDeps,
  { reason, keyId }: AdminRefusal,
  context: CallContext,
): Promise<void> {
  if (reason === 'missing' || !allowanceOf(deps).mayNote(context.sourceAddress)) return;
  await recordGatewayEvent(deps, context, {
    type: 'admin.refused',
    outcome: 'failure',
    // A key that lacks a scope was proven; of any other only its id was said.
    ...(reason === 'out_of_scope' && keyId !== undefined ? { actor: { kind: 'admin', id: keyId } } : {}),
    details: { reason, ...(keyId === undefined ? {} : { key: keyId }) },
  });
}

/** Tells of somebody known who may not do what operators may. Whom the request names was typed, and is not kept. */
export async function noteNoOperator(
  deps: GatewayDeps,
  { caller, route }: Pick<AuthorizationQuestion, 'caller' | 'route'>,
  context: CallContext,
): Promise<void> {
  if (!allowanceOf(deps).mayNote(context.sourceAddress)) return;
  const id = caller.kind === 'user' ? caller.sub : caller.keyId;
  await recordGatewayEvent(deps, context, {
    type: 'admin.refused',
    outcome: 'failure',
    actor: { kind: caller.kind, id },
    details: { reason: 'no_operator', route },
  });
}

interface Allowance {
  mayNote(address: string): boolean;
}

const allowances = new WeakMap<GatewayDeps, Allowance>();

function allowanceOf(deps: GatewayDeps): Allowance {
  const known = allowances.get(deps) ?? createAllowance(deps.clock);
  allowances.set(deps, known);
  return known;
}

function createAllowance(clock: Clock): Allowance {
  const networks = new Set<string>();
  let beganAtMs = Number.NEGATIVE_INFINITY;
  return {
    mayNote(address) {
      const nowMs = clock.now();
      // Either way: a clock that is set back does not silence what comes.
      if (Math.abs(nowMs - beganAtMs) >= MINUTE_MS) {
        networks.clear();
        beganAtMs = nowMs;
      }
      const network = clientNetwork(address);
      if (networks.has(network) || networks.size >= MOST_A_MINUTE) return false;
      networks.add(network);
      return true;
    },
  };
}
