import { isChallengeName, type OperationName, type Output } from '@poolgate/provider';
import { NormalizedSchema } from '@smithy/core/schema';
import { UpstreamFailure } from './upstream-failure.ts';

type Fields = Readonly<Record<string, unknown>>;
type RequiredKeys<Shape> = {
  [Key in keyof Shape]-?: Record<never, never> extends Pick<Shape, Key> ? never : Key;
}[keyof Shape];
type Requirements = {
  readonly [Name in OperationName as RequiredKeys<Output<Name>> extends never ? never : Name]: Readonly<
    Record<RequiredKeys<Output<Name>>, true>
  >;
};

/** Members without which a response is invalid, according to the port's shapes. */
const REQUIRED: Requirements = {
  AdminGetDevice: { Device: true },
  AdminGetUser: { Username: true },
  AdminGetUserAuthFactors: { Username: true },
  CreateIdentityProvider: { IdentityProvider: true },
  CreateResourceServer: { ResourceServer: true },
  DescribeIdentityProvider: { IdentityProvider: true },
  DescribeResourceServer: { ResourceServer: true },
  DescribeRiskConfiguration: { RiskConfiguration: true },
  GetDevice: { Device: true },
  GetIdentityProviderByIdentifier: { IdentityProvider: true },
  GetUICustomization: { UICustomization: true },
  GetUser: { Username: true, UserAttributes: true },
  GetUserAuthFactors: { Username: true },
  ListIdentityProviders: { Providers: true },
  ListResourceServers: { ResourceServers: true },
  ListWebAuthnCredentials: { Credentials: true },
  SetRiskConfiguration: { RiskConfiguration: true },
  SetUICustomization: { UICustomization: true },
  SignUp: { UserConfirmed: true, UserSub: true },
  StartWebAuthnRegistration: { CredentialCreationOptions: true },
  UpdateIdentityProvider: { IdentityProvider: true },
  UpdateResourceServer: { ResourceServer: true },
};
const REQUIRED_BY_NAME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(REQUIRED).map(([name, members]) => [name, Object.keys(members)]),
);

/** Members that are used as received, with their required format (Cognito's own patterns). */
const MEMBER_FORMATS: ReadonlyMap<string, Readonly<Record<string, RegExp>>> = new Map([
  ['AssociateSoftwareToken', { SecretCode: /^[A-Za-z0-9]{16,256}$/ }],
]);

/** Operations that return a challenge or tokens. */
const LOGIN_STEPS: ReadonlySet<string> = new Set([
  'AdminInitiateAuth',
  'AdminRespondToAuthChallenge',
  'GetTokensFromRefreshToken',
  'InitiateAuth',
  'RespondToAuthChallenge',
]);
/** Challenges whose parameters are used. */
const USED_CHALLENGES = ['PASSWORD_VERIFIER', 'DEVICE_PASSWORD_VERIFIER'] as const;
const USED_CHALLENGE_PARAMETERS: Readonly<Record<string, RegExp>> = {
  SALT: /^[\da-f]+$/i,
  SRP_B: /^[\da-f]+$/i,
  SECRET_BLOCK: /^[A-Za-z\d+/]+={0,2}$/,
};

/**
 * Converts an SDK response to the port's shape: without the SDK's additions, and with times as seconds since the epoch. The SDK accepts
 * values of any type, so types are checked here.
 *
 * @param schema the SDK's schema of the operation
 * @throws {UpstreamFailure} `nonsense` if it does not have the operation's shape
 */
export function readOutput(name: string, schema: unknown, answer: unknown): Fields {
  const outputSchema = Array.isArray(schema) ? schema[5] : undefined;
  if (outputSchema === undefined) throw new TypeError('schema is not the schema of an operation');
  const read = createOutputReader(outputSchema)(answer);
  for (const member of REQUIRED_BY_NAME.get(name) ?? [])
    if (read[member] === undefined) throw createMalformedAnswerFailure(member);
  const forms = MEMBER_FORMATS.get(name);
  for (const member in forms)
    if (!forms[member]?.test(String(read[member]))) throw createMalformedAnswerFailure(member);
  return LOGIN_STEPS.has(name) ? toLoginStep(read) : read;
}

type Reader<Read = unknown> = (value: unknown) => Read;

/** The reader of each output, so that a schema is walked only once. */
const READERS = new Map<unknown, Reader<Fields>>();

function createOutputReader(outputSchema: unknown): Reader<Fields> {
  const known = READERS.get(outputSchema);
  if (known !== undefined) return known;
  const made = createStructReader(NormalizedSchema.of(outputSchema as Parameters<typeof NormalizedSchema.of>[0]));
  READERS.set(outputSchema, made);
  return made;
}

function createValueReader(schema: NormalizedSchema): Reader {
  if (schema.isStructSchema()) return createStructReader(schema);
  if (schema.isListSchema()) return createListReader(createValueReader(schema.getValueSchema()));
  if (schema.isMapSchema()) return createMapReader(createValueReader(schema.getValueSchema()));
  if (schema.isTimestampSchema()) return readSeconds;
  if (schema.isStringSchema()) return readText;
  if (schema.isBooleanSchema()) return (value) => requireType(value, 'boolean');
  if (schema.isNumericSchema()) return (value) => requireType(value, 'number');
  return (value) => value;
}

function createStructReader(schema: NormalizedSchema): Reader<Fields> {
  // An operation without output members returns nothing, and a unit schema has no members to walk.
  if (schema.isUnitSchema()) return () => ({});
  const readers = Array.from(schema.structIterator(), ([member, of]) => [member, createValueReader(of)] as const);
  return (value) => {
    if (!isFields(value)) throw createMalformedAnswerFailure();
    const read: Record<string, unknown> = {};
    for (const [member, readMember] of readers) {
      const found = value[member];
      if (found !== undefined && found !== null) read[member] = readNamedMember(member, readMember, found);
    }
    return read;
  };
}

/** Reads a member. For an invalid one, the error contains its name, but never its value or a name that the response invented. */
function readNamedMember(member: string, read: Reader, value: unknown): unknown {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    const { member: inner } = error.details;
    const path = inner === undefined ? member : `${member}.${inner}`;
    throw new UpstreamFailure('nonsense', { ...error.details, member: path });
  }
}

function createListReader(readItem: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value)) throw createMalformedAnswerFailure();
    return value.filter((item) => item !== null).map(readItem);
  };
}

function createMapReader(readItem: Reader): Reader {
  return (value) => {
    if (!isFields(value)) throw createMalformedAnswerFailure();
    const entries = Object.entries(value).filter(([, item]) => item !== null);
    // fromEntries creates own members of any name; assigning to `__proto__` would not.
    return Object.fromEntries(entries.map(([key, item]) => [key, readItem(item)]));
  };
}

function readSeconds(value: unknown): number {
  const seconds = value instanceof Date ? value.getTime() / 1_000 : Number.NaN;
  if (!Number.isFinite(seconds)) throw createMalformedAnswerFailure();
  return seconds;
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw createMalformedAnswerFailure();
  // Databases cannot store NUL or half a surrogate pair, and none of Cognito's own texts contain them.
  if (value.includes('\0') || !value.isWellFormed()) throw new UpstreamFailure('nonsense', { isUnstorable: true });
  return value;
}

function requireType(value: unknown, type: 'boolean' | 'number'): unknown {
  if (typeof value !== type || Number.isNaN(value)) throw createMalformedAnswerFailure();
  return value;
}

/** A login step. If the response does not contain the access token's lifetime, it is read from the token. */
function toLoginStep(step: Fields): Fields {
  const { ChallengeName, ChallengeParameters = {} } = step;
  if (ChallengeName === undefined) return addTokenLifetime(step);
  if (!isChallengeName(String(ChallengeName))) throw createMalformedAnswerFailure('ChallengeName');
  if (!USED_CHALLENGES.some((name) => name === ChallengeName)) return step;
  const parameters = ChallengeParameters as Fields;
  for (const [key, form] of Object.entries(USED_CHALLENGE_PARAMETERS)) {
    if (!form.test(String(parameters[key] ?? ''))) throw createMalformedAnswerFailure(`ChallengeParameters.${key}`);
  }
  return step;
}

function addTokenLifetime(step: Fields): Fields {
  const tokens = step.AuthenticationResult as Fields | undefined;
  if (tokens?.AccessToken === undefined) throw createMalformedAnswerFailure('AuthenticationResult.AccessToken');
  if (tokens.ExpiresIn !== undefined) return step;
  const ExpiresIn = findTokenLifetime(String(tokens.AccessToken));
  if (ExpiresIn === undefined) throw createMalformedAnswerFailure('AuthenticationResult.ExpiresIn');
  return { ...step, AuthenticationResult: { ...tokens, ExpiresIn } };
}

/** A token's lifetime in seconds, by its `exp` and `iat`; undefined if unknown. */
function findTokenLifetime(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { exp, iat } = claims as { readonly exp?: unknown; readonly iat?: unknown };
    if (!Number.isSafeInteger(exp) || !Number.isSafeInteger(iat)) return undefined;
    const life = (exp as number) - (iat as number);
    return life > 0 ? life : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param member the invalid member of the response; by default the whole response */
function createMalformedAnswerFailure(member?: string): UpstreamFailure {
  return new UpstreamFailure('nonsense', member === undefined ? {} : { member });
}
