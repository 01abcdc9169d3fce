import { type CallContext, ProviderError } from '@poolgate/provider';
import {
  type CognitoCallFailure,
  type CognitoProvider,
  checkSettings,
  cognitoCallFailure,
} from '@poolgate/provider-cognito';
import { createConfiguredCognito, toExpectedPoolSettings } from '../../providers/cognito-backend.ts';
import { findConnectionProblem } from '../findings/connection-problem.ts';
import { createFault, createOkFinding, createWarning, type Finding } from '../findings/finding.ts';
import { createUnusedUsername } from '../findings/unused-username.ts';
import { checkContacts } from './check-contacts.ts';
import type { CheckedProvider, CheckUpInput } from './checked-provider.ts';

/** Checks a pool of Amazon Cognito, or of another service with its API. */
export async function openCheckedCognitoPool(context: CheckUpInput): Promise<CheckedProvider> {
  const { userPoolId = '', clientId = '' } = context.configuration.settings;
  const cognito = createConfiguredCognito(context, context.hooks);
  const { endpoint } = cognito;
  return {
    provider: cognito,
    userPoolId,
    clientId,
    recentLoginOnCognitoApi: false,
    endpoint,
    jwksUrl: cognito.jwksUrl,
    checkSettings: () => listSettingsFindings(cognito, context),
    // Amazon itself calls the triggers of its pools.
    checkTriggers: async () => [],
    // Amazon itself signs users in with them.
    checkIdentityProviders: async () => [],
    checkMessages: async () => [
      context.sendTo === undefined
        ? createOkFinding('The user pool sends its messages itself.')
        : createWarning('The user pool sends its messages itself, so no test message was sent.', 'Remove --send-to.'),
    ],
    checkAdministration: async () => [await checkAdminAccess(cognito, userPoolId, context)],
    close: async () => cognito.close(),
  };
}

const RESULTS = { fault: createFault, advice: createWarning } as const;

async function listSettingsFindings(
  cognito: CognitoProvider,
  { configuration: { settings } }: CheckUpInput,
): Promise<readonly Finding[]> {
  const read = await cognito.readSettings();
  const found = [
    ...checkSettings(read, toExpectedPoolSettings(settings, cognito)).map(({ severity, finding, advice }) =>
      RESULTS[severity](finding, advice),
    ),
    ...(read.userPool === undefined ? [] : checkContacts(read.userPool)),
  ];
  return found.length === 0
    ? [createOkFinding('The settings of the pool and its app client match the configuration.')]
    : found;
}

const CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1', actor: { kind: 'operator', id: null } };

const POLICY = 'Allow the identity of this service the operations listed in docs/reference/cognito.md.';

/** Why an administrative call is refused. */
const REFUSALS: Partial<Readonly<Record<CognitoCallFailure['kind'], (fault: CognitoCallFailure) => Finding>>> = {
  no_credentials: () =>
    createWarning(
      'No AWS credentials were found. Users can log in, but administrative requests get 502.',
      'Provide AWS credentials, e.g. a role or AWS_ACCESS_KEY_ID.',
    ),
  unsigned: ({ awsError = 'no reason' }) => createFault(`The AWS credentials are refused (${awsError}).`, POLICY),
};

async function checkAdminAccess(cognito: CognitoProvider, userPoolId: string, context: CheckUpInput): Promise<Finding> {
  try {
    await cognito.operations.adminGetUser(
      { UserPoolId: userPoolId, Username: createUnusedUsername(context.random) },
      CALL,
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code !== 'UserNotFoundException')
      return findConnectionProblem(error, cognito.endpoint) ?? toRefusedSettingsFinding(error);
  }
  return createOkFinding('Administrative calls are allowed (tested with AdminGetUser).');
}

function toRefusedSettingsFinding(error: ProviderError): Finding {
  const found = cognitoCallFailure(error);
  const known = found && REFUSALS[found.kind]?.(found);
  return (
    known ?? createFault(`An administrative call failed (${found?.awsError ?? error.reason ?? error.code}).`, POLICY)
  );
}
