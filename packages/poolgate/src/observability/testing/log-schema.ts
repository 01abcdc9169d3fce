/** A member that a log line may have: its JSON type and its meaning. */
export interface LogField {
  readonly type: 'string' | 'number' | 'object' | 'array';
  readonly help: string;
}

/**
 * Every member that a log line may have. A line is a JSON object that always has `level`, `time` and `msg`. No member contains a secret, a
 * username or a contact.
 */
export const LOG_FIELDS: Readonly<Record<string, LogField>> = {
  level: { type: 'number', help: '10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal' },
  time: { type: 'number', help: 'milliseconds since the epoch' },
  msg: { type: 'string', help: 'what happened; `request` for an answered request, `failure` for one that failed here' },
  requestId: { type: 'string', help: 'the `X-Request-Id` of the answer' },
  method: { type: 'string', help: 'of a request: its method' },
  route: { type: 'string', help: 'of a request: the pattern of its route, `(none)` where there is none' },
  path: { type: 'string', help: 'of a request without a route: its path, with `*` for what is no plain word' },
  status: { type: 'number', help: 'of a request: the status of its answer' },
  error: { type: 'string', help: 'of a refused request: the code of the problem, or Cognito’s name of the error' },
  ms: { type: 'number', help: 'how long it took, in milliseconds' },
  delayMs: {
    type: 'number',
    help: 'of `overloaded` and `no longer overloaded`: how late work is begun, in milliseconds',
  },
  address: { type: 'string', help: 'of a request: the address of the client' },
  origin: { type: 'string', help: 'the origin of a page whose request was refused' },
  host: { type: 'string', help: 'the host of an application behind forward authentication' },
  failure: {
    type: 'string',
    help: 'why something failed, as a word; of a failed request an object of names and places',
  },
  reason: { type: 'string', help: 'why, as a word' },
  detail: { type: 'string', help: 'why a request of an application was refused, as a sentence' },
  client_id: { type: 'string', help: 'of such a request: the app client that it names' },
  redirect_uri: { type: 'string', help: 'of such a request: the `redirect_uri` that was sent, without its query' },
  logout_uri: { type: 'string', help: 'of such a request: the `logout_uri` that was sent, without its query' },
  operation: { type: 'string', help: 'the operation of Amazon Cognito that was called' },
  member: { type: 'string', help: 'the input field that Amazon Cognito did not accept' },
  aws_error: { type: 'string', help: 'the name of the error at AWS' },
  aws_status: { type: 'number', help: 'the status of the answer of AWS' },
  aws_request_id: { type: 'string', help: 'the id of the request at AWS' },
  finding: { type: 'string', help: 'which setting of a pool differs' },
  message_id: { type: 'string', help: 'the id of a message to a user' },
  channel: { type: 'string', help: '`email` or `sms`' },
  tries: { type: 'number', help: 'how often a message was tried' },
  event_id: { type: 'string', help: 'the id of an event of the audit log' },
  event_type: { type: 'string', help: 'its type' },
  event_types: { type: 'array', help: 'types of events' },
  statement: { type: 'string', help: 'the text of a slow statement, without values' },
  plan: { type: 'array', help: 'lines of its plan' },
};

/** Members whose type may differ from the table, as the help of their row says. */
const EITHER: ReadonlySet<string> = new Set(['failure']);

/** Members that every line has. */
const ALWAYS = ['level', 'time', 'msg'] as const;

function findJsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The deviations of a line from the schema. Empty if there are none. */
export function findLogLineFaults(line: string): readonly string[] {
  const read = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const missing = ALWAYS.filter((name) => read[name] === undefined).map((name) => `${name} is missing`);
  const wrong = Object.entries(read).flatMap(([name, value]) => {
    const member = LOG_FIELDS[name];
    if (member === undefined) return [`${name} is not in the schema`];
    const isRight = findJsonType(value) === member.type || (EITHER.has(name) && typeof value === 'object');
    return isRight ? [] : [`${name} is of the type ${findJsonType(value)}`];
  });
  return [...missing, ...wrong];
}
