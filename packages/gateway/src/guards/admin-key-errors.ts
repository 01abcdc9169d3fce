import type { CallContext } from '@poolgate/provider';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import type { OperatorAccessRequest } from '../kernel/deps.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { SignatureErrorReason } from './sigv4-authorization.ts';

/** Why a caller is not authorized as an administrator. */
export type AdminKeyErrorReason = SignatureErrorReason | 'whole_key' | 'unknown_key' | 'out_of_scope';

/** A refusal in words that fit both entry points. The message never reveals whether a key exists. */
export class AdminKeyError extends Error {
  override readonly name = 'AdminKeyError';
  readonly reason: AdminKeyErrorReason;
  /** The named key, if it exists. */
  readonly keyId: string | undefined;

  constructor(reason: AdminKeyErrorReason, message: string, options: ErrorOptions & { readonly keyId?: string } = {}) {
    super(message, options);
    this.reason = reason;
    this.keyId = options.keyId;
  }
}

/**
 * Records a refused admin key, whether or not it exists, so that recording it costs the same. Floods cannot fill the log: it records one
 * refusal for each minute and network, and few in total.
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
    // A key that lacks a scope was proven; of any other key only the id is known.
    ...(reason === 'out_of_scope' ? { actor: { kind: 'admin', id: keyId ?? null } } : {}),
    details: { reason, ...(keyId === undefined ? {} : { key: keyId }) },
  });
}

/** Records a known caller who is not an operator. The named user is user input and is not recorded. */
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
