import { type ClientExtensions, ProviderError } from '@poolgate/provider';

/** Says what is wrong with a value; undefined where nothing is. */
type Rule = (value: unknown) => string | undefined;

const MAX_RESOURCE_SERVERS = 20;
const MAX_IDENTIFIER_LENGTH = 256;

/** The rule for each setting of an app client that Cognito does not have. They are kept in the JSON of its settings. */
const RULES: Readonly<Record<keyof ClientExtensions, Rule>> = {
  resourceServers: createTextListRule(MAX_RESOURCE_SERVERS, MAX_IDENTIFIER_LENGTH),
  requirePushedRequests: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
};

function createTextListRule(most: number, maxLength: number): Rule {
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= maxLength;
  return (value) => {
    if (!Array.isArray(value) || !value.every(isText))
      return `must be a list of texts of up to ${maxLength} characters`;
    return value.length > most ? `can have ${most} entries at most` : undefined;
  };
}

/**
 * The settings after a change: what it does not name stays, and `null` restores the default.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function changeClientExtensions(
  current: ClientExtensions,
  change: Readonly<Record<string, unknown>>,
): ClientExtensions {
  for (const [name, value] of Object.entries(change)) checkExtension(name, value);
  const entries = Object.entries({ ...current, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
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
