import {
  type AuditEvent,
  type CallContext,
  type IdentityProvider,
  OPERATIONS,
  type OperationName,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';
import { unverifiedClaims } from '../token-claims.ts';
import { AUDITED_OPERATIONS } from './provider-changes.ts';
import { type NewGatewayEvent, recordGatewayEvent } from './record.ts';

interface ProviderInput {
  readonly ClientId?: string;
  readonly Username?: string;
  readonly AccessToken?: string;
}

interface LoginOutput {
  readonly ChallengeName?: string;
  readonly AuthenticationResult?: { readonly AccessToken?: string };
}

type Operation = (input: ProviderInput, context: CallContext) => Promise<LoginOutput>;
type EventDeps = Parameters<typeof recordGatewayEvent>[0];

/**
 * A provider that keeps no events, with notes of what it is told: of each change the intent before, so that none is made
 * without a trace, and the outcome after; of logins what came of them.
 */
export function auditedProvider(provider: IdentityProvider, parts: EventDeps): IdentityProvider {
  const operations = provider.operations as unknown as Readonly<Record<string, Operation>>;
  const audited = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const operation = operations[method];
    if (operation === undefined) throw new TypeError(`provider: has no operation ${method}`);
    return [method, AUDITS[AUDITED_OPERATIONS[name]](parts, name, operation.bind(operations))];
  });
  return { ...bound(provider), operations: Object.fromEntries(audited) as ProviderOperations };
}

function bound(provider: IdentityProvider): Omit<IdentityProvider, 'operations'> {
  return {
    extensions: provider.extensions,
    recordsEvents: provider.recordsEvents,
    recordsRevocations: provider.recordsRevocations,
    describe: (userPoolId) => provider.describe(userPoolId),
    signingKeys: (userPoolId) => provider.signingKeys(userPoolId),
    poolOfClient: (clientId) => provider.poolOfClient(clientId),
  };
}

type Audit = (parts: EventDeps, name: OperationName, operation: Operation) => Operation;

const AUDITS: Readonly<Record<(typeof AUDITED_OPERATIONS)[OperationName], Audit>> = {
  reads: (_parts, _name, operation) => operation,
  'logs-in': (parts, _name, operation) => auditedLogin(parts, operation),
  changes: auditedChange,
};

/** Changes that need no token, and a code that was sent. */
const BY_CODE: ReadonlySet<OperationName> = new Set(['ConfirmForgotPassword', 'ConfirmSignUp']);

function auditedChange(parts: EventDeps, name: OperationName, operation: Operation): Operation {
  return async (input, context) => {
    const { access } = OPERATIONS[name];
    // A name that an administrator's request goes by; what an unknown caller types is not kept.
    const named = access === 'admin' && input.Username !== undefined ? { username: input.Username } : {};
    const newEvent: NewGatewayEvent = { type: 'provider.called', clientId: input.ClientId ?? null };
    const details = { operation: name, ...named };
    await recordGatewayEvent(parts, context, { ...newEvent, outcome: 'intent', details });
    const output = await reportingFailure(operation(input, context), (reason) =>
      recordGatewayEvent(parts, context, { ...newEvent, outcome: 'failure', details: { ...details, reason } }),
    );
    const owner = BY_CODE.has(name) ? { isProven: true as const } : userOfToken(input.AccessToken);
    await recordGatewayEvent(parts, context, { ...newEvent, ...owner, outcome: 'success', details });
    return output;
  };
}

function auditedLogin(parts: EventDeps, operation: Operation): Operation {
  return async (input, context) => {
    const clientId = input.ClientId ?? null;
    const output = await reportingFailure(operation(input, context), (reason) =>
      recordGatewayEvent(parts, context, { type: 'login.failed', clientId, outcome: 'failure', details: { reason } }),
    );
    const token = output.AuthenticationResult?.AccessToken;
    if (token !== undefined) {
      await recordGatewayEvent(parts, context, { type: 'login.succeeded', clientId, ...userOfToken(token) });
    }
    return output;
  };
}

/** Awaits a call, and tells why it failed where it did. What goes wrong afterwards is no failure of the call. */
async function reportingFailure<T>(call: Promise<T>, report: (reason: string) => Promise<void>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    await report(failureReason(error));
    throw error;
  }
}

/** The provider took the token, or has just made it: whose it is needs no other proof. */
function userOfToken(token: string | undefined): {
  readonly user?: AuditEvent['user'];
  readonly actor?: AuditEvent['actor'];
} {
  const { sub, username } = unverifiedClaims(token) ?? {};
  if (typeof sub !== 'string' || typeof username !== 'string') return {};
  return { user: { sub, username }, actor: { kind: 'user', id: sub } };
}

function failureReason(error: unknown): string {
  return error instanceof ProviderError ? (error.reason ?? error.code) : 'defect';
}
