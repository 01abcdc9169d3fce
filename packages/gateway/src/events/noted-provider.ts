import {
  type AuditEvent,
  type CallContext,
  type IdentityProvider,
  OPERATIONS,
  type OperationName,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';
import { claimsIn } from '../tokens/token-claims.ts';
import { NOTED } from './provider-changes.ts';
import { type GatewayHappening, recordGatewayEvent } from './record.ts';

interface Named {
  readonly ClientId?: string;
  readonly Username?: string;
  readonly AccessToken?: string;
}

interface Told {
  readonly ChallengeName?: string;
  readonly AuthenticationResult?: { readonly AccessToken?: string };
}

type Operation = (input: Named, context: CallContext) => Promise<Told>;
type Parts = Parameters<typeof recordGatewayEvent>[0];

/**
 * A provider that keeps no events, with notes of what it is told: of each change the intent before, so that none is made
 * without a trace, and the outcome after; of logins what came of them.
 */
export function notedProvider(provider: IdentityProvider, parts: Parts): IdentityProvider {
  const operations = provider.operations as unknown as Readonly<Record<string, Operation>>;
  const noted = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const operation = operations[method];
    if (operation === undefined) throw new TypeError(`provider: has no operation ${method}`);
    return [method, NOTES[NOTED[name]](parts, name, operation.bind(operations))];
  });
  return { ...bound(provider), operations: Object.fromEntries(noted) as ProviderOperations };
}

function bound(provider: IdentityProvider): Omit<IdentityProvider, 'operations'> {
  return {
    extensions: provider.extensions,
    keepsEvents: provider.keepsEvents,
    describe: (userPoolId) => provider.describe(userPoolId),
    signingKeys: (userPoolId) => provider.signingKeys(userPoolId),
    poolOfClient: (clientId) => provider.poolOfClient(clientId),
  };
}

type Note = (parts: Parts, name: OperationName, operation: Operation) => Operation;

const NOTES: Readonly<Record<(typeof NOTED)[OperationName], Note>> = {
  reads: (_parts, _name, operation) => operation,
  'logs-in': (parts, _name, operation) => notedLogin(parts, operation),
  changes: notedChange,
};

/** Changes that need no token, and a code that was sent. */
const BY_CODE: ReadonlySet<OperationName> = new Set(['ConfirmForgotPassword', 'ConfirmSignUp']);

function notedChange(parts: Parts, name: OperationName, operation: Operation): Operation {
  return async (input, context) => {
    const { access } = OPERATIONS[name];
    // A name that an administrator's request goes by; what a stranger types is not kept.
    const named = access === 'admin' && input.Username !== undefined ? { username: input.Username } : {};
    const happening: GatewayHappening = { type: 'provider.called', clientId: input.ClientId ?? null };
    const details = { operation: name, ...named };
    await recordGatewayEvent(parts, context, { ...happening, outcome: 'intent', details });
    const output = await tellingFailure(operation(input, context), (reason) =>
      recordGatewayEvent(parts, context, { ...happening, outcome: 'failure', details: { ...details, reason } }),
    );
    const whose = BY_CODE.has(name) ? { isProven: true as const } : ownerOf(input.AccessToken);
    await recordGatewayEvent(parts, context, { ...happening, ...whose, outcome: 'success', details });
    return output;
  };
}

function notedLogin(parts: Parts, operation: Operation): Operation {
  return async (input, context) => {
    const clientId = input.ClientId ?? null;
    const output = await tellingFailure(operation(input, context), (reason) =>
      recordGatewayEvent(parts, context, { type: 'login.failed', clientId, outcome: 'failure', details: { reason } }),
    );
    const token = output.AuthenticationResult?.AccessToken;
    if (token !== undefined) {
      await recordGatewayEvent(parts, context, { type: 'login.succeeded', clientId, ...ownerOf(token) });
    }
    return output;
  };
}

/** Awaits a call, and tells why it failed where it did. What goes wrong afterwards is no failure of the call. */
async function tellingFailure<T>(call: Promise<T>, tell: (reason: string) => Promise<void>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    await tell(reasonOf(error));
    throw error;
  }
}

/** The provider took the token, or has just made it: whose it is needs no other proof. */
function ownerOf(token: string | undefined): {
  readonly user?: AuditEvent['user'];
  readonly actor?: AuditEvent['actor'];
} {
  const { sub, username } = claimsIn(token) ?? {};
  if (typeof sub !== 'string' || typeof username !== 'string') return {};
  return { user: { sub, username }, actor: { kind: 'user', id: sub } };
}

function reasonOf(error: unknown): string {
  return error instanceof ProviderError ? (error.reason ?? error.code) : 'defect';
}
