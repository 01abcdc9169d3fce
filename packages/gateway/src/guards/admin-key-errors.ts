import type { CallContext } from '@poolgate/provider';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import type { OperatorAccessRequest } from '../kernel/deps.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { SignatureErrorReason } from './sigv4-authorization.ts';

/** Why nobody privileged is asking, or not privileged enough. */
export type AdminKeyErrorReason = SignatureErrorReason | 'whole_key' | 'unknown_key' | 'out_of_scope';

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

/**
 * Records an admin key that was refused, known or not, so that noting it costs the same. Whoever sends refused keys by
 * the thousand fills no log: one a minute and network is recorded, and few in all.
 */
export async function recordRefusedKey(
  runtime: GatewayRuntime,
  { reason, keyId }: AdminKeyError,
  call: CallContext,
): Promise<void> {
  if (reason === 'missing' || !runtime.refusalLogLimit.mayRecord(call.sourceAddress)) return;
  await recordGatewayEvent(runtime, call, {
    type: 'admin.refused',
    outcome: 'failure',
    // A key that lacks a scope was proven; of any other only its id was said.
    ...(reason === 'out_of_scope' ? { actor: { kind: 'admin', id: keyId ?? null } } : {}),
    details: { reason, ...(keyId === undefined ? {} : { key: keyId }) },
  });
}

/** Records somebody known who may not do what operators may. Whom the request names was typed, and is not kept. */
export async function recordRefusedOperator(
  runtime: GatewayRuntime,
  { caller, route }: Pick<OperatorAccessRequest, 'caller' | 'route'>,
  call: CallContext,
): Promise<void> {
  if (!runtime.refusalLogLimit.mayRecord(call.sourceAddress)) return;
  const id = caller.kind === 'user' ? caller.sub : caller.keyId;
  await recordGatewayEvent(runtime, call, {
    type: 'admin.refused',
    outcome: 'failure',
    actor: { kind: caller.kind, id },
    details: { reason: 'no_operator', route },
  });
}
