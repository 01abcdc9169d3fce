import { defineSetting } from './setting.ts';
import {
  createChoiceKind,
  createListKind,
  createOptionalKind,
  createTextKind,
  isUrlWithoutCredentials,
} from './value-kinds.ts';

const issuer = createTextKind({
  allowed: '`base-url`, or an https or http URL without credentials, query and trailing slash',
  problem: 'is not a valid URL',
  accepts: (input) =>
    input === 'base-url' || (/^https?:\/\/[^\s?#]*[^\s?#/]$/.test(input) && isUrlWithoutCredentials(input)),
});

const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

const region = createTextKind({
  allowed: 'the name of an AWS region, e.g. eu-central-1',
  problem: 'is not the name of a region',
  accepts: (input) => REGION.test(input),
});

const userPoolId = createTextKind({
  allowed: '<region>_ and letters and digits, e.g. eu-central-1_AbCd12345; 55 characters at most',
  problem: 'is not a pool ID',
  // Cognito's own pattern. For another service with its API, the part before the last "_" need not be an Amazon region.
  accepts: (input) => input.length <= 55 && /^[\w-]+_[\da-zA-Z]+$/.test(input),
});

/** The id of an app client. */
export const clientId = createTextKind({
  allowed: '1 to 128 letters, digits, "_" and "+"',
  problem: 'is not a client ID',
  accepts: (input) => /^[\w+]{1,128}$/.test(input),
});

/** Returns the region in a pool id; undefined if none. */
export function findRegion(id: string): string | undefined {
  const name = id.slice(0, id.lastIndexOf('_'));
  return REGION.test(name) ? name : undefined;
}

/** The user pool of the service. For the embedded one, a key that is set overrides the store at every start. */
export const poolSettings = {
  region: defineSetting(
    'IDP_REGION',
    createOptionalKind(region, '(the region of the pool; us-east-1 for a new pool)'),
    {
      default: undefined,
      defaultText: '`us-east-1`',
      help: 'The region in the ID of a new pool and in AWS signatures. With `cognito`, the default is the region in IDP_USER_POOL_ID.',
    },
  ),
  userPoolId: defineSetting('IDP_USER_POOL_ID', createOptionalKind(userPoolId, '(the first pool)'), {
    default: undefined,
    defaultText: 'created on the first start',
    help: 'The ID of the pool to serve. The embedded pool is created if it does not exist; `cognito` requires this setting.',
  }),
  clientId: defineSetting('IDP_CLIENT_ID', createOptionalKind(clientId, '(the first client)'), {
    default: undefined,
    defaultText: 'created on the first start',
    help: 'The ID of the app client that the routes use for logins. The embedded pool creates one if none exists; `cognito` requires this setting.',
  }),
  mfaSetup: defineSetting('IDP_MFA_SETUP', createChoiceKind(['OFF', 'OPTIONAL', 'ON']), {
    default: 'OPTIONAL',
    help: 'Whether multi-factor authentication is offered. With `ON`, users without a second factor must set one up at their next login. With `cognito`, the setting of the pool applies; keep this one the same.',
  }),
  mfaTypes: defineSetting(
    'IDP_MFA_TYPE',
    createListKind(createChoiceKind(['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'])),
    {
      default: ['SOFTWARE_TOKEN_MFA'],
      help: 'The second factors that users may set up, with the preferred one first. With `embedded`, codes must not go to the contact that recovers passwords (IDP_RECOVERY).',
    },
  ),
  signingAlgorithm: defineSetting(
    'IDP_SIGNING_ALGORITHM',
    createOptionalKind(createChoiceKind(['RS256', 'ES256']), '(the value in the store)'),
    {
      default: undefined,
      defaultText: 'the value in the store; `RS256` in a new store',
      help: 'The algorithm that signs the tokens of the embedded pool. `ES256` takes a tenth of the processor time. A change creates new keys at the next start, and the old keys stay published for a day. Amazon Cognito only signs with RS256, so some verifiers refuse ES256 (docs/reference/issuer.md#signing-algorithms).',
    },
  ),
  issuer: defineSetting('IDP_ISSUER', createOptionalKind(issuer, '(the shape of AWS)'), {
    default: undefined,
    defaultText: 'the shape of AWS: `https://cognito-idp.<region>.amazonaws.com/<pool id>`',
    help: 'The `iss` of the tokens. `base-url` is `<BASE_URL>/<pool id>`, for OpenID clients that compare it with the address that they discovered it at (embedded pool).',
  }),
};
