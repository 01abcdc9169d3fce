import { type CallContext, ProviderError } from '@poolgate/provider';
import { type CognitoFault, type CognitoProvider, checkSettings, cognitoFault } from '@poolgate/provider-cognito';
import { cognitoOf, settingsWishes } from '../../providers/cognito.ts';
import { type Finding, fault, ok, warn } from '../finding.ts';
import { nobody } from '../nobody.ts';
import { troubleOf } from '../trouble.ts';
import type { Subject, Visit } from './subject.ts';

/** Looks at a pool of Amazon Cognito, or of whatever speaks its API. */
export async function openCognitoSubject(visit: Visit): Promise<Subject> {
  const { userPoolId = '', clientId = '' } = visit.configuration.settings;
  const cognito = cognitoOf(visit, visit.hooks);
  const { endpoint } = cognito;
  return {
    provider: cognito,
    userPoolId,
    clientId,
    endpoint,
    jwksUrl: cognito.jwksUrl,
    checkSettings: () => settingsFindings(cognito, visit),
    checkMessages: async () => [
      visit.sendTo === undefined
        ? ok('The user pool sends its messages itself.')
        : warn('The user pool sends its messages itself: none was sent.', 'Leave --send-to out.'),
    ],
    checkAdministration: async () => [await administration(cognito, userPoolId, visit)],
    close: async () => cognito.close(),
  };
}

const RESULTS = { fault, advice: warn } as const;

async function settingsFindings(
  cognito: CognitoProvider,
  { configuration: { settings } }: Visit,
): Promise<readonly Finding[]> {
  const found = checkSettings(await cognito.readSettings(), settingsWishes(settings, cognito));
  if (found.length === 0) return [ok('The settings of the pool and its app client go with the configuration.')];
  return found.map(({ weight, finding, advice }) => RESULTS[weight](finding, advice));
}

const CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1', actor: { kind: 'operator', id: null } };

const POLICY = 'Allow the operations that docs/cognito.md lists to the identity of this service.';

/** What keeps an administrative call from being let through. */
const REFUSALS: Partial<Readonly<Record<CognitoFault['kind'], (fault: CognitoFault) => Finding>>> = {
  no_credentials: () =>
    warn(
      'No AWS credentials were found: users can log in, and administration is answered with 502.',
      'Give this service credentials as the AWS SDK looks for them, e.g. a role or AWS_ACCESS_KEY_ID.',
    ),
  unsigned: ({ awsError = 'no reason' }) => fault(`The AWS credentials are refused (${awsError}).`, POLICY),
};

async function administration(cognito: CognitoProvider, userPoolId: string, visit: Visit): Promise<Finding> {
  try {
    await cognito.operations.adminGetUser({ UserPoolId: userPoolId, Username: nobody(visit.random) }, CALL);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code !== 'UserNotFoundException') return troubleOf(error, cognito.endpoint) ?? refused(error);
  }
  return ok('Administrative calls are signed and let through (tried with AdminGetUser).');
}

function refused(error: ProviderError): Finding {
  const found = cognitoFault(error);
  const known = found && REFUSALS[found.kind]?.(found);
  return known ?? fault(`An administrative call failed (${found?.awsError ?? error.reason ?? error.code}).`, POLICY);
}
