/**
 * Replaces `aws cognito-idp …` if the AWS CLI is not installed: the same request, AWS JSON 1.1 with Signature Version 4, from the same
 * arguments. It supports what the guides use. Calls that the API's model leaves unsigned stay unsigned, as with the CLI.
 */
import { Sha256 } from '@aws-crypto/sha256-js';
import { OPERATIONS } from '@poolgate/provider';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';

type Value = unknown;

/** Parses `Name=a,Value=b` as an object. */
const parsePairs = (word: string): Readonly<Record<string, string>> =>
  Object.fromEntries(word.split(',').map((part) => part.split(/=(.*)/s, 2) as [string, string]));
const parseList = (words: readonly string[]): Value => words;
const parseJson = ([word = '']: readonly string[]): Value => JSON.parse(word);
const parseFlag = (): Value => true;
const parseWord = ([word]: readonly string[]): Value => word;

/** How the arguments of an option become a value. Default: one text. */
const FORMS: Readonly<Record<string, (words: readonly string[]) => Value>> = {
  UsernameAttributes: parseList,
  AutoVerifiedAttributes: parseList,
  ExplicitAuthFlows: parseList,
  UserAttributes: (words) => words.map(parsePairs),
  AuthParameters: ([word = '']) => parsePairs(word),
  AcrMapping: ([word = '']) => parsePairs(word),
  UsernameConfiguration: parseJson,
  DeviceConfiguration: parseJson,
  Policies: parseJson,
  AccountRecoverySetting: parseJson,
  SoftwareTokenMfaConfiguration: parseJson,
  WebAuthnConfiguration: parseJson,
  RefreshTokenRotation: parseJson,
  Permanent: parseFlag,
  EnableTokenRevocation: parseFlag,
};

/** Names that the API does not write word by word. */
const SPELLED: Readonly<Record<string, string>> = { 'web-authn-configuration': 'WebAuthnConfiguration' };

const toPascalCase = (name: string): string =>
  SPELLED[name] ?? name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the arguments of each option. */
function parseOptions(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const options = new Map<string, string[]>();
  let values: string[] = [];
  for (const word of words) {
    if (!word.startsWith('--')) {
      values.push(word);
      continue;
    }
    values = [];
    options.set(word.slice(2), values);
  }
  return options;
}

/** Options of the CLI itself. */
const OWN = ['endpoint-url', 'query', 'output'];

function parseRequest(words: readonly string[]): { readonly operation: string; readonly body: string } {
  const [service, command = '', ...rest] = words;
  if (service !== 'cognito-idp') throw new TypeError(`${service} is another service`);
  const input = [...parseOptions(rest)]
    .filter(([name]) => !OWN.includes(name))
    .map(([name, values]) => [toPascalCase(name), (FORMS[toPascalCase(name)] ?? parseWord)(values)]);
  return { operation: toPascalCase(command), body: JSON.stringify(Object.fromEntries(input)) };
}

async function send(words: readonly string[]): Promise<string> {
  const { env } = process;
  const options = parseOptions(words.slice(2));
  const url = new URL(options.get('endpoint-url')?.[0] ?? env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER ?? '');
  const { operation, body } = parseRequest(words);
  const headers = {
    host: url.host,
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  };
  const { hostname, port } = url;
  const request = new HttpRequest({ method: 'POST', hostname, port: Number(port), path: '/', headers, body });
  const row = (OPERATIONS as Readonly<Record<string, { readonly access: string }>>)[operation];
  const signed = row?.access === 'admin' ? await createSigner().sign(request) : request;
  const answer = await fetch(url, { method: 'POST', headers: signed.headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`An error occurred when calling the ${operation} operation: ${text}`);
  const [query] = options.get('query') ?? [];
  return query === undefined ? text : String(readPath(JSON.parse(text), query));
}

function createSigner(): SignatureV4 {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_DEFAULT_REGION = '' } = process.env;
  return new SignatureV4({
    service: 'cognito-idp',
    region: AWS_DEFAULT_REGION,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    sha256: Sha256,
  });
}

/** Returns the value at a path of members. */
function readPath(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, name) => (at as Readonly<Record<string, unknown>>)[name], value);
}

const printed = await send(process.argv.slice(2));
if (printed !== '' && printed !== '{}') console.log(printed);
