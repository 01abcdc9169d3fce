import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OPERATIONS } from '../operations.ts';
import { createOperations } from '../wrap-operations.ts';
import { createAwsJsonEndpoint } from './aws-json-endpoint.ts';
import type { AwsJsonResponse } from './http-messages.ts';
import { SECRET_MEMBERS } from './secret-members.ts';
import { requireOperationModel, type Shape } from './service-model.ts';

const names = Object.keys(OPERATIONS);
const called: string[] = [];
const defects: unknown[] = [];

const operations = createOperations((name) => async () => {
  called.push(name);
  return { Username: 'alice', UserConfirmed: false, UserSub: 'a', UserAttributes: [] };
});

const awsJson = createAwsJsonEndpoint({
  provider: { operations, describe: async () => undefined },
  authorizeAdmin: async () => ({}),
  onDefect: (error) => defects.push(error),
});

function post(operation: string, body: string | Uint8Array): Promise<AwsJsonResponse> {
  const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` };
  return awsJson.handle({ headers, body, sourceAddress: '192.0.2.1', requestId: 'r' });
}

function assertDocumentedRefusal(answer: AwsJsonResponse): void {
  const { __type, message } = JSON.parse(answer.body);
  assert.equal(answer.status, 400, answer.body);
  assert.ok(['SerializationException', 'InvalidParameterException'].includes(__type), __type);
  assert.equal(typeof message, 'string');
  assert.equal(answer.headers['x-amzn-errortype'], `${__type}:`);
  assert.match(answer.headers['x-amzn-errormessage'] ?? '', /^[\x20-\x7e]{1,512}$/);
}

/** The required members of an operation, except those that accept any JSON. */
function spoilable(operation: string): readonly string[] {
  const { members = {}, required = [] } = requireOperationModel(operation).input;
  return required.filter((name) => members[name]?.type !== 'document');
}

/** Invalid values of a required member: missing, too long or of another type. An empty value of the right type may be valid. */
function worthless(shape: Shape | undefined): fc.Arbitrary<unknown> {
  const ofTypes: readonly (readonly [Shape['type'], unknown])[] = [
    ['string', ''],
    ['string', ' '],
    ['integer', 0],
    ['boolean', false],
    ['list', []],
  ];
  const others = ofTypes.filter(([type]) => type !== shape?.type).map(([, value]) => value);
  return fc.constantFrom(null, '\u0000', ...others);
}

/** An object with the operation's members, each of any JSON type, with at least one invalid required member. */
function spoiled(operation: string): fc.Arbitrary<string> {
  const { members = {} } = requireOperationModel(operation).input;
  const entries = Object.keys(members).map((name) => [name, fc.jsonValue({ maxDepth: 3 })]);
  return fc
    .tuple(
      fc.record(Object.fromEntries(entries), { requiredKeys: [] }),
      fc
        .constantFrom(...spoilable(operation))
        .chain((victim) => fc.tuple(fc.constant(victim), worthless(members[victim]))),
    )
    .map(([body, [victim, value]]) => JSON.stringify({ ...body, [victim]: value }));
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json({ maxDepth: 6 }),
  fc.json().map((text) => `{"__proto__":${text}}`),
  fc.tuple(fc.json(), fc.nat(40)).map(([text, length]) => text.slice(0, length)),
);

/** An operation without required members accepts an empty object, so only the others are certain to fail. */
const asking = names.filter((name) => (requireOperationModel(name).input.required ?? []).length > 0);

const malformed = fc.constantFrom(...asking).chain((operation) => {
  const body = fc.oneof(spoiled(operation), anyText, fc.uint8Array({ maxLength: 64 }));
  return fc.tuple(fc.constant(operation), body);
});

test('5,000 malformed bodies all get a documented error and never reach the provider', async () => {
  const check = fc.asyncProperty(malformed, async ([operation, body]) => {
    assertDocumentedRefusal(await post(operation, body));
  });
  await fc.assert(check, { numRuns: 5000 });
  assert.deepEqual(called, []);
  assert.deepEqual(defects, []);
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

/** A body in which every secret text is `marker`, including at unreadable and forbidden positions. */
function fill(shape: Shape, marker: string, secret: boolean): unknown {
  if (shape.type === 'string') return secret ? marker : '\u2028';
  if (shape.type === 'map') return { KEY: marker, [marker]: marker };
  if (shape.type === 'list' && shape.item) return [fill(shape.item, marker, secret)];
  if (shape.type !== 'structure') return 0;
  const members = Object.entries(shape.members ?? {});
  return Object.fromEntries(
    members.map(([name, member]) => [name, fill(member, marker, secret || SECRET_MEMBERS.has(name))]),
  );
}

/** Amazon's model accepts any text for the pool, the provider and the attribute of these operations. */
const OPERATIONS_WITH_ANY_TEXT: ReadonlySet<string> = new Set([
  'AdminDisableProviderForUser',
  'AdminLinkProviderForUser',
]);

test('no response repeats a secret, whatever is wrong with it', async () => {
  const marker = 'hunter2 \u2028';
  for (const operation of names) {
    const body = fill(requireOperationModel(operation).input, marker, false);
    const variants = [
      JSON.stringify(body),
      JSON.stringify(body).slice(0, -1),
      JSON.stringify({ ...(body as object), ClientId: { [marker]: marker }, UserPoolId: { [marker]: marker } }),
      JSON.stringify({ ...(body as object), __proto__: undefined, constructor: marker }),
      JSON.stringify(body).replaceAll('hunter2', 'hunter2\\u0000'),
      JSON.stringify(body).replaceAll('hunter2', 'hunter2'.repeat(400)),
    ];
    for (const text of variants) {
      const answer = await post(operation, text);
      if (answer.status === 200) assert.ok(OPERATIONS_WITH_ANY_TEXT.has(operation), operation);
      else assertDocumentedRefusal(answer);
      assert.doesNotMatch(JSON.stringify(answer), /hunter2/, operation);
    }
  }
});
