import { defineSetting } from './setting.ts';
import {
  createLimitedListKind,
  createListKind,
  createOptionalKind,
  createSecretKind,
  createTextKind,
  createWholeNumberKind,
} from './value-kinds.ts';

/** Credentials, query and fragment are not allowed: they would end up in logs, or be ignored. */
function isServiceUrl(input: string): boolean {
  if (!URL.canParse(input)) return false;
  const { protocol, username, password, search, hash } = new URL(input);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

const serviceUrl = createTextKind({
  allowed: 'an https or http URL without credentials, query or fragment',
  problem: 'is not a valid URL',
  accepts: isServiceUrl,
});

const clientSecret = createTextKind({
  allowed: '1 to 64 letters, digits, "_" and "+"',
  problem: 'is not the secret of an app client',
  accepts: (input) => /^[\w+]{1,64}$/.test(input),
});

/** During a rotation, the app client accepts two secrets. */
const MAX_SECRETS = 2;

/** Amazon Cognito, or another service with its API, such as a Poolgate with an embedded pool. */
export const cognitoSettings = {
  clientSecrets: defineSetting(
    'IDP_CLIENT_SECRET',
    createOptionalKind(createSecretKind(createLimitedListKind(MAX_SECRETS, createListKind(clientSecret))), '(none)'),
    {
      default: undefined,
      defaultText: 'none',
      sensitive: true,
      help: 'The secret of the app client, if it has one. List two, separated by a comma, while you rotate it: the service uses the one that works.',
    },
  ),
  endpoint: defineSetting('IDP_ENDPOINT', createOptionalKind(serviceUrl, '(that of the region)'), {
    default: undefined,
    defaultText: 'that of the region',
    help: "The URL of the Cognito API if it is not Amazon's: a VPC endpoint, a proxy or another Poolgate.",
  }),
  jwksUrl: defineSetting('IDP_JWKS_URL', createOptionalKind(serviceUrl, '(below the endpoint or the issuer)'), {
    default: undefined,
    defaultText:
      '`<IDP_ENDPOINT>/<pool>/.well-known/jwks.json` where an endpoint is set, else `<issuer>/.well-known/jwks.json`',
    help: 'The URL of the key set that verifies tokens.',
  }),
  quotaPercent: defineSetting('IDP_QUOTA_PERCENT', createWholeNumberKind(1, 100_000), {
    default: 100,
    help: "The share of Cognito's default request quotas that this process may use. Beyond it, the service responds with 429 itself. Lower it if replicas or other applications share the account; raise it if AWS raised your quotas.",
  }),
};
