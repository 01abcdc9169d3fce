import { type CallContext, ProviderError } from '@poolgate/provider';
import {
  type CognitoCallFailure,
  type CognitoProvider,
  checkSettings,
  cognitoCallFailure,
} from '@poolgate/provider-cognito';
import { cognitoOf, expectedPoolSettings } from '../../providers/cognito.ts';
import { connectionProblem } from '../connection-problem.ts';
import { checkContacts } from '../contacts.ts';
import { type Finding, failed, ok, warn } from '../finding.ts';
import { unusedUsername } from '../unused-username.ts';
import type { CheckedProvider, CheckUpContext } from './subject.ts';

/** Looks at a pool of Amazon Cognito, or of whatever speaks its API. */
export async function openCognitoPool(context: CheckUpContext): Promise<CheckedProvider> {
  const { userPoolId = '', clientId = '' } = context.configuration.settings;
  const cognito = cognitoOf(context, context.hooks);
  const { endpoint } = cognito;
  return {
    provider: cognito,
    userPoolId,
    clientId,
    recentLoginOnCognitoApi: false,
    endpoint,
    jwksUrl: cognito.jwksUrl,
    checkSettings: () => settingsFindings(cognito, context),
    // Amazon calls the triggers of its pools itself.
    checkTriggers: async () => [],
    checkMessages: async () => [
      context.sendTo === undefined
        ? ok('The user pool sends its messages itself.')
        : warn('The user pool sends its messages itself: none was sent.', 'Leave --send-to out.'),
    ],
    checkAdministration: async () => [await administration(cognito, userPoolId, context)],
    close: async () => cognito.close(),
  };
}

const RESULTS = { fault: failed, advice: warn } as const;

async function settingsFindings(
  cognito: CognitoProvider,
  { configuration: { settings } }: CheckUpContext,
): Promise<readonly Finding[]> {
  const read = await cognito.readSettings();
  const found = [
    ...checkSettings(read, expectedPoolSettings(settings, cognito)).map(({ severity, finding, advice }) =>
      RESULTS[severity](finding, advice),
    ),
    ...(read.userPool === undefined ? [] : checkContacts(read.userPool)),
  ];
  return found.length === 0 ? [ok('The settings of the pool and its app client go with the configuration.')] : found;
}

const CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1', actor: { kind: 'operator', id: null } };

const POLICY = 'Allow the operations that docs/cognito.md lists to the identity of this service.';

/** What keeps an administrative call from being let through. */
const REFUSALS: Partial<Readonly<Record<CognitoCallFailure['kind'], (fault: CognitoCallFailure) => Finding>>> = {
  no_credentials: () =>
    warn(
      'No AWS credentials were found: users can log in, and administration is answered with 502.',
      'Give this service credentials as the AWS SDK looks for them, e.g. a role or AWS_ACCESS_KEY_ID.',
    ),
  unsigned: ({ awsError = 'no reason' }) => failed(`The AWS credentials are refused (${awsError}).`, POLICY),
};

async function administration(cognito: CognitoProvider, userPoolId: string, context: CheckUpContext): Promise<Finding> {
  try {
    await cognito.operations.adminGetUser({ UserPoolId: userPoolId, Username: unusedUsername(context.random) }, CALL);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code !== 'UserNotFoundException')
      return connectionProblem(error, cognito.endpoint) ?? settingsRefused(error);
  }
  return ok('Administrative calls are signed and let through (tried with AdminGetUser).');
}

function settingsRefused(error: ProviderError): Finding {
  const found = cognitoCallFailure(error);
  const known = found && REFUSALS[found.kind]?.(found);
  return known ?? failed(`An administrative call failed (${found?.awsError ?? error.reason ?? error.code}).`, POLICY);
}
