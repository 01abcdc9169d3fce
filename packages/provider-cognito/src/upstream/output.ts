import { isChallengeName, type OperationName, type Output } from '@poolgate/provider';
import { NormalizedSchema } from '@smithy/core/schema';
import { UpstreamFailure } from './failure.ts';

type Fields = Readonly<Record<string, unknown>>;
type RequiredKeys<Shape> = {
  [Key in keyof Shape]-?: Record<never, never> extends Pick<Shape, Key> ? never : Key;
}[keyof Shape];
type Requirements = {
  readonly [Name in OperationName as RequiredKeys<Output<Name>> extends never ? never : Name]: Readonly<
    Record<RequiredKeys<Output<Name>>, true>
  >;
};

/** Members without which an answer is none; the port's shapes say which. */
const REQUIRED: Requirements = {
  AdminGetDevice: { Device: true },
  AdminGetUser: { Username: true },
  AdminGetUserAuthFactors: { Username: true },
  GetDevice: { Device: true },
  GetUser: { Username: true, UserAttributes: true },
  GetUserAuthFactors: { Username: true },
  ListWebAuthnCredentials: { Credentials: true },
  SignUp: { UserConfirmed: true, UserSub: true },
  StartWebAuthnRegistration: { CredentialCreationOptions: true },
};
const REQUIRED_BY_NAME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(REQUIRED).map(([name, members]) => [name, Object.keys(members)]),
);

/** Members that are worked with as they come, and what they must look like (Cognito's own patterns). */
const FORMS: ReadonlyMap<string, Readonly<Record<string, RegExp>>> = new Map([
  ['AssociateSoftwareToken', { SecretCode: /^[A-Za-z0-9]{16,256}$/ }],
]);

/** Operations that answer with a challenge or with tokens. */
const LOGIN_STEPS: ReadonlySet<string> = new Set([
  'AdminInitiateAuth',
  'AdminRespondToAuthChallenge',
  'GetTokensFromRefreshToken',
  'InitiateAuth',
  'RespondToAuthChallenge',
]);
/** Challenges whose parameters are reckoned with. */
const RECKONED = ['PASSWORD_VERIFIER', 'DEVICE_PASSWORD_VERIFIER'] as const;
const RECKONED_PARAMETERS = ['SALT', 'SRP_B', 'SECRET_BLOCK'] as const;

/**
 * An answer of the SDK in the port's shape: without the SDK's additions, times as seconds since the epoch.
 * The SDK lets values of any type through, so types are looked at here.
 *
 * @param schema the SDK's schema of the operation
 * @throws {UpstreamFailure} `nonsense` where it has not the operation's shape
 */
export function readOutput(name: string, schema: unknown, answer: unknown): Fields {
  const outputSchema = Array.isArray(schema) ? schema[5] : undefined;
  if (outputSchema === undefined) throw new TypeError('schema is not the schema of an operation');
  const read = readerOf(outputSchema)(answer);
  for (const member of REQUIRED_BY_NAME.get(name) ?? []) if (read[member] === undefined) throw nonsense();
  const forms = FORMS.get(name);
  for (const member in forms) if (!forms[member]?.test(String(read[member]))) throw nonsense();
  if (LOGIN_STEPS.has(name)) checkStep(read);
  return read;
}

type Reader<Read = unknown> = (value: unknown) => Read;

/** The reader of each output: a schema is walked once, and not with every answer. */
const READERS = new Map<unknown, Reader<Fields>>();

function readerOf(outputSchema: unknown): Reader<Fields> {
  const known = READERS.get(outputSchema);
  if (known !== undefined) return known;
  const made = structReader(NormalizedSchema.of(outputSchema as Parameters<typeof NormalizedSchema.of>[0]));
  READERS.set(outputSchema, made);
  return made;
}

function valueReader(schema: NormalizedSchema): Reader {
  if (schema.isStructSchema()) return structReader(schema);
  if (schema.isListSchema()) return listReader(valueReader(schema.getValueSchema()));
  if (schema.isMapSchema()) return mapReader(valueReader(schema.getValueSchema()));
  if (schema.isTimestampSchema()) return readSeconds;
  if (schema.isStringSchema()) return readText;
  if (schema.isBooleanSchema()) return (value) => checked(value, 'boolean');
  if (schema.isNumericSchema()) return (value) => checked(value, 'number');
  return (value) => value;
}

function structReader(schema: NormalizedSchema): Reader<Fields> {
  // An operation without output members answers nothing at all, and a unit schema has no members to walk.
  if (schema.isUnitSchema()) return () => ({});
  const readers = Array.from(schema.structIterator(), ([member, of]) => [member, valueReader(of)] as const);
  return (value) => {
    if (!isFields(value)) throw nonsense();
    const read: Record<string, unknown> = {};
    for (const [member, readMember] of readers) {
      const found = value[member];
      if (found !== undefined && found !== null) read[member] = readMember(found);
    }
    return read;
  };
}

function listReader(readItem: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value)) throw nonsense();
    return value.filter((item) => item !== null).map(readItem);
  };
}

function mapReader(readItem: Reader): Reader {
  return (value) => {
    if (!isFields(value)) throw nonsense();
    const entries = Object.entries(value).filter(([, item]) => item !== null);
    // fromEntries makes own members whatever they are called; an assignment to `__proto__` would not.
    return Object.fromEntries(entries.map(([key, item]) => [key, readItem(item)]));
  };
}

function readSeconds(value: unknown): number {
  const seconds = value instanceof Date ? value.getTime() / 1_000 : Number.NaN;
  if (!Number.isFinite(seconds)) throw nonsense();
  return seconds;
}

function readText(value: unknown): string {
  // Neither a NUL nor half a surrogate pair can be kept by a database, and no text of Cognito holds them.
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) throw nonsense();
  return value;
}

function checked(value: unknown, type: 'boolean' | 'number'): unknown {
  if (typeof value !== type || Number.isNaN(value)) throw nonsense();
  return value;
}

function checkStep({ ChallengeName, ChallengeParameters = {}, AuthenticationResult }: Fields): void {
  if (ChallengeName === undefined) {
    const tokens = AuthenticationResult as Fields | undefined;
    if (tokens?.AccessToken === undefined || tokens.ExpiresIn === undefined) throw nonsense();
    return;
  }
  if (!isChallengeName(String(ChallengeName))) throw nonsense();
  if (!RECKONED.some((name) => name === ChallengeName)) return;
  const parameters = ChallengeParameters as Fields;
  if (RECKONED_PARAMETERS.some((key) => parameters[key] === undefined)) throw nonsense();
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nonsense(): UpstreamFailure {
  return new UpstreamFailure('nonsense');
}
