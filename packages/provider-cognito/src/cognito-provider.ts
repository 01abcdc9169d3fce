import {
  createOperations,
  type IdentityProvider,
  type Operation,
  type OperationName,
  type Output,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';
import { type CognitoOptions, type ResolvedOptions, resolveOptions } from './options/cognito-options.ts';
import { type CognitoSettings, readSettings } from './pool/cognito-settings.ts';
import { createPoolDescription } from './pool/pool-description.ts';
import { createSigningKeys } from './pool/signing-keys.ts';
import { type CallOperation, createCaller } from './upstream/caller.ts';
import { type ClientSecrets, createClientSecrets } from './upstream/client-secrets.ts';
import type { CommandRow } from './upstream/command-row.ts';
import { COMMANDS } from './upstream/commands.ts';
import { createSdkClient } from './upstream/sdk-client.ts';
import { isSecretRefused, translateFailure } from './upstream/translate-failure.ts';
import { UpstreamFailure } from './upstream/upstream-failure.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Amazon Cognito as a provider. */
export interface CognitoProvider extends IdentityProvider {
  /** The expected `iss` of the pool's tokens. */
  readonly issuer: string;
  /** The URL of the API, such as `https://cognito-idp.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  /** The URL of the pool's signing keys. */
  readonly jwksUrl: string;
  /** Reads the settings of the pool and its app client, as far as AWS permits. It needs AWS credentials and never rejects. */
  readSettings(): Promise<CognitoSettings>;
  /** Closes the connections. */
  close(): void;
}

/**
 * Opens a user pool of Amazon Cognito, or of another service with its API. It sends nothing until an operation is called. Users' operations
 * need no AWS credentials; administrative ones are signed with those that the SDK finds.
 * @throws {TypeError|RangeError} with the name of the invalid option
 */
export function createCognitoProvider(options: CognitoOptions): CognitoProvider {
  const resolved = resolveOptions(options);
  const client = createSdkClient(resolved);
  const callUpstream = createCaller(resolved, client.send);
  const keys = createSigningKeys(resolved);
  const read = () => readSettings(resolved, callUpstream);
  const description = createPoolDescription(resolved, read);
  const isOurs = (userPoolId: string) => userPoolId === resolved.userPoolId;
  return {
    operations: createCognitoOperations(resolved, callUpstream),
    extensions: {},
    recordsEvents: false,
    recordsRevocations: false,
    issuer: resolved.issuer,
    endpoint: resolved.apiUrl,
    jwksUrl: resolved.jwksUrl,
    describe: async (userPoolId) => (isOurs(userPoolId) ? description() : undefined),
    signingKeys: async (userPoolId) => (isOurs(userPoolId) ? keys.read() : undefined),
    poolOfClient: async (clientId) => (clientId === resolved.clientId ? resolved.userPoolId : undefined),
    readSecretBlock: async () => undefined,
    readSettings: read,
    close: () => client.close(),
  };
}

function createCognitoOperations(resolved: ResolvedOptions, callUpstream: CallOperation): ProviderOperations {
  const secrets = createClientSecrets(resolved.clientId, resolved.clientSecrets);
  return createOperations(
    <Name extends OperationName>(name: Name): Operation<Name> =>
      async (request, call) => {
        const callForClient: CallOperation = (called, row, fields) =>
          callUpstream(called, row, fields, call.sourceAddress);
        const output = await performOperation(resolved, secrets, callForClient, name, omitSignUpSession(name, request));
        // Cognito's response was validated against the operation's shape when it was read.
        return output as Output<Name>;
      },
  );
}

/** There, a sign-up's session expires within minutes and is only used to log in. An old one would break a code that is valid for a day. */
function omitSignUpSession(name: OperationName, request: Fields): Fields {
  if (name !== 'ConfirmSignUp') return request;
  const { Session, ...rest } = request;
  return rest;
}

async function performOperation(
  { userPoolId }: ResolvedOptions,
  secrets: ClientSecrets,
  callUpstream: CallOperation,
  name: OperationName,
  request: Fields,
): Promise<Fields> {
  const row = COMMANDS[name];
  // This service's credentials may have access to more than its pool.
  if (request.UserPoolId !== undefined && request.UserPoolId !== userPoolId) {
    throw new ProviderError('ResourceNotFoundException', 'The user pool does not exist.', { reason: 'pool_not_found' });
  }
  const tries = secrets.createAttempts(row.clientSecret, request);
  const [first, second] = tries.requests;
  const outcome = await callForOutcome(callUpstream, name, row, first ?? request);
  if (second === undefined || !(outcome instanceof UpstreamFailure) || !isSecretRefused(outcome, row, request)) {
    return requireOutput(outcome, row, request);
  }
  const again = await callForOutcome(callUpstream, name, row, second);
  // Any other error comes after the secret was accepted.
  const believed =
    !(again instanceof UpstreamFailure) || (again.kind === 'refused' && !isSecretRefused(again, row, request));
  if (believed) tries.preferSecond();
  return requireOutput(again, row, request);
}

async function callForOutcome(
  callUpstream: CallOperation,
  name: string,
  row: CommandRow,
  request: Fields,
): Promise<Fields | UpstreamFailure> {
  try {
    return await callUpstream(name, row, request);
  } catch (error) {
    if (error instanceof UpstreamFailure) return error;
    throw error;
  }
}

function requireOutput(outcome: Fields | UpstreamFailure, row: CommandRow, request: Fields): Fields {
  if (outcome instanceof UpstreamFailure) throw translateFailure(outcome, row, request);
  return outcome;
}
