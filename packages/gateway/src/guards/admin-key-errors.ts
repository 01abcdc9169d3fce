import type { AdminScope, CallContext } from '@poolgate/provider';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import type { OperatorAccessRequest } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
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
  /** The scopes that a valid key lacks. */
  readonly missingScopes: readonly AdminScope[];

  constructor(reason: AdminKeyErrorReason, message: string, options: AdminKeyErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
    this.keyId = options.keyId;
    this.missingScopes = options.missingScopes ?? [];
  }
}

interface AdminKeyErrorOptions extends ErrorOptions {
  readonly keyId?: string;
  readonly missingScopes?: readonly AdminScope[];
}

/** Creates the error for a valid key without a scope that the request needs. */
export function missingScopeError(scope: AdminScope, known: { readonly keyId?: string }): AdminKeyError {
  const detail = `The admin key does not have the scope ${scope}.`;
  return new AdminKeyError('out_of_scope', detail, { ...known, missingScopes: [scope] });
}

/**
 * Refuses a request that needs scopes which the caller's admin key or console session lacks, and records the refusal in the audit log.
 * @param detail what needs the scopes, for the caller
 * @throws {GatewayError} forbidden, always
 */
export async function refuseScopes(
  runtime: GatewayRuntime,
  keyId: string,
  missing: { readonly scopes: readonly AdminScope[]; readonly detail: string },
  call: CallContext,
): Promise<never> {
  const refusal = new AdminKeyError('out_of_scope', missing.detail, { keyId, missingScopes: missing.scopes });
  await recordRefusedKey(runtime, refusal, call);
  throw new GatewayError('forbidden', missing.detail, { cause: refusal });
}

/**
 * Records a refused admin key, whether or not it exists, so that recording it costs the same. Floods cannot fill the log: it records one
 * refusal for each minute and network, and few in total.
 */
export async function recordRefusedKey(
  runtime: GatewayRuntime,
  { reason, keyId, missingScopes }: AdminKeyError,
  call: CallContext,
): Promise<void> {
  if (reason === 'missing' || !runtime.refusalLogLimit.mayRecord(call.sourceAddress)) return;
  await recordGatewayEvent(runtime, call, {
    type: 'admin.refused',
    outcome: 'failure',
    // A key that lacks a scope was proven; of any other key only the id is known.
    ...(reason === 'out_of_scope' ? { actor: { kind: 'admin', id: keyId ?? null } } : {}),
    details: {
      reason,
      ...(keyId === undefined ? {} : { key: keyId }),
      ...(missingScopes.length === 0 ? {} : { scopes: missingScopes.join(' ') }),
    },
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
