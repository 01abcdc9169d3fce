/** The audit log for providers that write none: the intent before an operation, and the outcome after it. */
import {
  type AuditClass,
  type AuditEvent,
  type IdentityProvider,
  OPERATIONS,
  type Operation,
  type OperationName,
  ProviderError,
  type SubjectFields,
  wrapOperations,
} from '@poolgate/provider';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import { type NewGatewayEvent, recordGatewayEvent } from './record-gateway-event.ts';

/** The members that only login responses have. */
interface LoginOutput {
  readonly AuthenticationResult?: { readonly AccessToken?: string };
  readonly [field: string]: unknown;
}

type EventDeps = Parameters<typeof recordGatewayEvent>[0];

/**
 * Wraps a provider without events. For each change it records the intent before the call, so that none happens without a trace, and the
 * outcome after it. For logins it records the outcome.
 */
export function createAuditedProvider(provider: IdentityProvider, parts: EventDeps): IdentityProvider {
  return wrapOperations(provider, (name, operation) => AUDITS[OPERATIONS[name].audit](parts, name, operation));
}

type Audit = <Name extends OperationName>(parts: EventDeps, name: Name, operation: Operation<Name>) => Operation<Name>;

const AUDITS: Readonly<Record<AuditClass, Audit>> = {
  reads: (_parts, _name, operation) => operation,
  'logs-in': auditLogin,
  changes: auditChange,
};

function auditChange<Name extends OperationName>(
  parts: EventDeps,
  name: Name,
  operation: Operation<Name>,
): Operation<Name> {
  const { access, verifiesCode } = OPERATIONS[name];
  return async (input, call) => {
    const { ClientId, Username, AccessToken }: SubjectFields = input;
    // The name in an administrator's request. What an unknown caller types is not recorded.
    const named = access === 'admin' && Username !== undefined ? { username: Username } : {};
    const newEvent: NewGatewayEvent = { type: 'provider.called', clientId: ClientId ?? null };
    const details = { operation: name, ...named };
    await recordGatewayEvent(parts, call, { ...newEvent, outcome: 'intent', details });
    const output = await reportFailure(operation(input, call), (reason) =>
      recordGatewayEvent(parts, call, { ...newEvent, outcome: 'failure', details: { ...details, reason } }),
    );
    const owner = verifiesCode ? { isProven: true as const } : readTokenUser(AccessToken);
    await recordGatewayEvent(parts, call, { ...newEvent, ...owner, outcome: 'success', details });
    return output;
  };
}

function auditLogin<Name extends OperationName>(
  parts: EventDeps,
  _name: Name,
  operation: Operation<Name>,
): Operation<Name> {
  return async (input, call) => {
    const { ClientId }: SubjectFields = input;
    const clientId = ClientId ?? null;
    const output = await reportFailure(operation(input, call), (reason) =>
      recordGatewayEvent(parts, call, { type: 'login.failed', clientId, outcome: 'failure', details: { reason } }),
    );
    const { AuthenticationResult }: LoginOutput = output;
    const token = AuthenticationResult?.AccessToken;
    if (token !== undefined) {
      await recordGatewayEvent(parts, call, { type: 'login.succeeded', clientId, ...readTokenUser(token) });
    }
    return output;
  };
}

/** Awaits a call and records the reason if it fails. Later errors are not failures of the call. */
async function reportFailure<T>(call: Promise<T>, report: (reason: string) => Promise<void>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    await report(readFailureReason(error));
    throw error;
  }
}

/** The provider accepted the token, or has just issued it, so its user needs no other proof. */
function readTokenUser(token: string | undefined): {
  readonly user?: AuditEvent['user'];
  readonly actor?: AuditEvent['actor'];
} {
  const { sub, username } = readUnverifiedClaims(token) ?? {};
  if (typeof sub !== 'string' || typeof username !== 'string') return {};
  return { user: { sub, username }, actor: { kind: 'user', id: sub } };
}

function readFailureReason(error: unknown): string {
  return error instanceof ProviderError ? (error.reason ?? error.code) : 'defect';
}
