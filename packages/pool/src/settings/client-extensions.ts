import { type ClientExtensions, ProviderError } from '@poolgate/provider';
import { isPublicKeySet } from './public-key-sets.ts';

/** Returns what is wrong with a value; undefined if nothing. */
type Rule = (value: unknown) => string | undefined;

const MAX_RESOURCE_SERVERS = 20;
const MAX_IDENTIFIER_LENGTH = 256;

/** The validation rule of each app client setting that Cognito does not have. They are stored in the JSON of the client's settings. */
const RULES: Readonly<Record<keyof ClientExtensions, Rule>> = {
  resourceServers: createTextListRule(MAX_RESOURCE_SERVERS, MAX_IDENTIFIER_LENGTH),
  jwks: (value) =>
    isPublicKeySet(value) ? undefined : 'must be a JWK set of one to ten public keys, RSA of 2048 bits or more',
  jwksUri: findUrlProblem,
  accessTokenType: (value) => (value === 'at+jwt' ? undefined : 'must be at+jwt'),
  deviceGrant: findBooleanProblem,
  requirePushedRequests: findBooleanProblem,
  backchannelLogoutUri: findUrlProblem,
  endsGrantsAtSignOut: findBooleanProblem,
};

function findBooleanProblem(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false';
}

function createTextListRule(most: number, maxLength: number): Rule {
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= maxLength;
  return (value) => {
    if (!Array.isArray(value) || !value.every(isText))
      return `must be a list of texts of up to ${maxLength} characters`;
    return value.length > most ? `can have ${most} entries at most` : undefined;
  };
}

const MAX_URL_LENGTH = 1_024;

/** Plain http is for development. Outside of it, connecting to the address is refused. */
function findUrlProblem(value: unknown): string | undefined {
  const url = typeof value === 'string' && value.length <= MAX_URL_LENGTH ? URL.parse(value) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === '';
  return isPlain ? undefined : 'must be an https URL without user information or fragment';
}

/**
 * Applies a change to the settings. Unnamed settings stay, and `null` restores the default.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function changeClientExtensions(
  current: ClientExtensions,
  change: Readonly<Record<string, unknown>>,
): ClientExtensions {
  for (const [name, value] of Object.entries(change)) checkExtension(name, value);
  const entries = Object.entries({ ...current, ...change });
  const changed: ClientExtensions = Object.fromEntries(entries.filter(([, value]) => value !== null));
  if (changed.jwks !== undefined && changed.jwksUri !== undefined) {
    throw invalidParameterError('A client has jwks or jwksUri, not both. Set the other one to null.');
  }
  return changed;
}

function checkExtension(name: string, value: unknown): void {
  const findProblem = Object.hasOwn(RULES, name) ? RULES[name as keyof ClientExtensions] : undefined;
  if (findProblem === undefined) throw invalidParameterError(`App clients have no setting ${name}.`);
  const problem = value === null ? undefined : findProblem(value);
  if (problem !== undefined) throw invalidParameterError(`The client setting ${name} ${problem}.`);
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
