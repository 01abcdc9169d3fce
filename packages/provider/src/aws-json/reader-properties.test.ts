import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProviderError } from '../provider-error.ts';
import { compileReader } from './compile-reader.ts';
import { ProtocolError } from './protocol-error.ts';
import { readBody } from './read-body.ts';
import { SECRET_MEMBERS } from './secret-members.ts';
import { OPERATION_MODELS, type Shape } from './service-model.ts';

/** Texts that match each input pattern of the service, in lengths that every shape with the pattern allows. */
const MATCHING: Readonly<Record<string, readonly string[]>> = {
  '(?s).*': ['body { }\n'],
  '(arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:([\\w+=/,.@-]*)?:[0-9]+:[\\w+=/,.@-]+(:[\\w+=/,.@-]+)?(:[\\w+=/,.@-]+)?)?': [
    'arn:aws:lambda:us-east-1:123456789012:function:name',
  ],
  '.*\\{####\\}.*': ['Your code is {####}.'],
  '[0-9]+': ['123456'],
  '[A-Za-z0-9-_=.]+': ['eyJh.eyJz.c2ln-_='],
  '[\\S]+': ['a1B2c3-._~!😀'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]*': ['Your code'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]*\\{####\\}[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]*': ['Your code is {####}.'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]*\\{##[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]*##\\}[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]*':
    ['Follow {##this link##}.'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s*]+': ['Your code'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\s]+': ['Your code'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\t\\n\\r ]+': ['email', 'given name'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}\\p{Z}]+': ['A name'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+': ['alice', '用户'],
  '[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+@[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+': ['alice@example.org'],
  '[\\w+-]+': ['us-east-1'],
  '[\\w+=/]+': ['2ffOSg+S5Vyh33Qn+qRyc0EycNndRCM61Jm7sokT6BA='],
  '[\\w+]+': ['1example23456789012345678'],
  '[\\w-]+_[0-9a-f-]+': ['us-east-1_0a1b2c3d'],
  '[\\w-]+_[0-9a-zA-Z]+': ['us-east-1_AbCdEf123'],
  '[\\w\\s+=,.@-]+': ['A name'],
  '[\\w\\s+=.@-]+': ['A name'],
  '[\\x21\\x23-\\x2E\\x30-\\x5B\\x5D-\\x7E]+': ['read'],
  '[\\x21\\x23-\\x5B\\x5D-\\x7E]+': ['https://api.example.org'],
  '[^_\\p{Z}][\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}][^_\\p{Z}]+': ['provider'],
  '^(terms-of-use|privacy-policy)$': ['terms-of-use', 'privacy-policy'],
  '^[0-9A-Za-z\\.\\-_]*(?<!\\.)$': ['my-configuration'],
  '^[0-9a-fA-F]+$': ['0a1b'],
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[4][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$': [
    '01234567-89ab-4def-8123-456789abcdef',
  ],
  '^[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+$': ['cognito:default'],
  '^[\\w\\- ]+$': ['My terms'],
  '[a-z0-9](?:[a-z0-9\\-.]{0,61}[a-z0-9])?': ['my-domain', 'login.example.com'],
  '^[a-zA-Z0-9_-]+$': ['a1b2-c3_d4'],
  'arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:([\\w+=/,.@-]*)?:[0-9]+:[\\w+=/,.@-]+(:[\\w+=/,.@-]+)?(:[\\w+=/,.@-]+)?': [
    'arn:aws:iam::123456789012:role/name',
  ],
  'arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:::[\\w+=/,.@-]+(:[\\w+=/,.@-]+)?(:[\\w+=/,.@-]+)?': ['arn:aws:s3:::bucket'],
  'import-[0-9a-zA-Z-]+': ['import-0a1b'],
  '(tkn|sso)[0-9a-z]{25}': ['tknm5k9p2q7r4s8t1v6w3x0y5z2b'],
};

// No pattern of the service matches a control character followed by a space, unless it matches everything.
const UNMATCHED = '\u0001 ';
const TAKES_ALL = '(?s).*';

function validString({ enum: values, pattern, min = 0, max = min + 16 }: Shape): fc.Arbitrary<string> {
  if (values !== undefined) return fc.constantFrom(...values);
  if (pattern === undefined)
    return fc.string({ unit: 'grapheme-ascii', minLength: min, maxLength: Math.min(max, min + 16) });
  const examples = MATCHING[pattern] ?? [];
  assert.ok(examples.length > 0, `no example for ${pattern}`);
  return fc.constantFrom(...examples);
}

function valid(shape: Shape): fc.Arbitrary<unknown> {
  const { min = 0, max = min + 1000, members = {}, item = shape, value = shape, required = [] } = shape;
  const most = Math.min(max, min + 3);
  const constraints = { noNullPrototype: true };
  const arbitraries: Record<Shape['type'], () => fc.Arbitrary<unknown>> = {
    blob: () => fc.uint8Array({ minLength: min, maxLength: most }).map((bytes) => btoa(String.fromCharCode(...bytes))),
    boolean: () => fc.boolean(),
    document: () => fc.constantFrom<unknown>({ id: 'AQID', response: { transports: ['usb'] } }, 'text', 1, [true]),
    integer: () => fc.integer({ min, max }),
    list: () => fc.array(valid(item), { minLength: min, maxLength: most }),
    long: () => fc.maxSafeInteger(),
    map: () =>
      fc.dictionary(fc.stringMatching(/^[A-Z.:]{1,8}$/), valid(value), { ...constraints, minKeys: min, maxKeys: most }),
    string: () => validString(shape),
    structure: () => fc.record(createMembers(members), { ...constraints, requiredKeys: [...required] }),
    timestamp: () => fc.double({ min: 0, max: 1e11, noNaN: true }),
  };
  return arbitraries[shape.type]();
}

function createMembers(members: Readonly<Record<string, Shape>>): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, valid(member)]));
}

function sample(shape: Shape): unknown {
  return fc.sample(valid(shape), { seed: 1, numRuns: 1 })[0];
}

/** A value that violates one constraint, with its path and the expected text. */
interface Violation {
  readonly value: unknown;
  readonly place: string;
  readonly clause: string;
  /** The value as shown, or empty if it is hidden. */
  readonly shown: string;
}

const MUST_NOT_BE_NULL = 'Member must not be null';

function stringClauses({ min = 0, max, pattern, enum: values }: Shape): readonly (readonly [string, string])[] {
  const clauses: (readonly [string, string])[] = [];
  if (pattern !== undefined && pattern !== TAKES_ALL) {
    clauses.push([UNMATCHED, `Member must satisfy regular expression pattern: ${pattern}`]);
  }
  if (max !== undefined)
    clauses.push(['a'.repeat(2 * max + 1), `Member must have length less than or equal to ${max}`]);
  if (min > 0) clauses.push(['a'.repeat(min - 1), `Member must have length greater than or equal to ${min}`]);
  if (values !== undefined) clauses.push(['NO', `Member must satisfy enum value set: [${values.join(', ')}]`]);
  return clauses;
}

function allClauses(shape: Shape): string {
  const minClause = shape.min === 0 ? [`Member must have length greater than or equal to 0`] : [];
  return [...stringClauses(shape).map(([, clause]) => clause), ...minClause].join(', ');
}

function* violations(shape: Shape, place: string): Generator<Violation> {
  const { type, min = 0, max, item, value: mapped } = shape;
  if (type === 'string') {
    for (const [value, clause] of stringClauses(shape)) yield { value, place, clause, shown: ` '${value}'` };
  }
  if (type === 'integer' && max !== undefined) {
    const clause = `Member must have value less than or equal to ${max}`;
    yield { value: max + 1, place, clause, shown: ` '${max + 1}'` };
  }
  if (type === 'integer' && shape.min !== undefined) {
    const clause = `Member must have value greater than or equal to ${min}`;
    yield { value: min - 1, place, clause, shown: ` '${min - 1}'` };
  }
  if (type === 'list' && max !== undefined && item) {
    const clause = `Member must have length less than or equal to ${max}`;
    yield { value: Array.from({ length: max + 1 }, () => sample(item)), place, clause, shown: '' };
  }
  if (type === 'list' && min > 0) {
    yield { value: [], place, clause: `Member must have length greater than or equal to ${min}`, shown: '' };
  }
  if (type === 'list' && item?.type === 'string') {
    const clause = `Member must satisfy constraint: [${allClauses(item)}]`;
    for (const [value] of stringClauses(item)) yield { value: [value], place, clause, shown: ` '[${value}]'` };
  }
  if (type === 'list' && item?.type === 'structure') {
    for (const inner of violations(item, `${place}.1.member`)) yield { ...inner, value: [inner.value] };
  }
  if (type === 'map' && mapped) {
    const clause = `Map value must satisfy constraint: [${allClauses(mapped)}]`;
    for (const [value] of stringClauses(mapped)) yield { value: { KEY: value }, place, clause, shown: '' };
  }
  if (type === 'structure') yield* structureViolations(shape, place);
}

function* structureViolations(shape: Shape, place: string): Generator<Violation> {
  const whole = sample(shape) as Record<string, unknown>;
  for (const [name, member] of Object.entries(shape.members ?? {})) {
    const step = `${place === '' ? '' : `${place}.`}${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const hide = (violation: Violation) => (SECRET_MEMBERS.has(name) ? { ...violation, shown: '' } : violation);
    if (shape.required?.includes(name)) {
      const value = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
      yield hide({ value, place: step, clause: MUST_NOT_BE_NULL, shown: ' null' });
    }
    for (const inner of violations(member, step)) yield hide({ ...inner, value: { ...whole, [name]: inner.value } });
  }
}

function outcome(read: ReturnType<typeof compileReader>, request: unknown): unknown {
  try {
    return read(readBody(JSON.stringify(request)));
  } catch (error) {
    return error;
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

test('reads every request that the service model allows unchanged', () => {
  for (const [name, { input }] of OPERATION_MODELS) {
    const read = compileReader(input);
    const check = fc.property(valid(input), (request) =>
      assert.deepEqual(plain(outcome(read, request)), plain(request), name),
    );
    fc.assert(check, { numRuns: 10 });
  }
});

test("reports every violation of any constraint of any operation in Cognito's words", () => {
  let count = 0;
  for (const [name, { input }] of OPERATION_MODELS) {
    const read = compileReader(input);
    for (const { value, place, clause, shown } of violations(input, '')) {
      const error = outcome(read, value);
      assert.ok(error instanceof ProviderError, `${name}: ${place} ${clause}`);
      assert.equal(error.code, 'InvalidParameterException');
      assert.match(
        error.message,
        /^(1 validation error|[2-9] validation errors|1\d validation errors) detected: Value/,
      );
      const text = `Value${shown} at '${place}' failed to satisfy constraint: ${clause}`;
      assert.ok(error.message.includes(text), `${name}: ${text}\n${error.message.slice(0, 500)}`);
      count += 1;
    }
  }
  assert.ok(count > 1500, `only ${count} violations were tried`);
});

test('rejects a value of another JSON type as unreadable, not as a constraint violation', () => {
  const wrong: Record<Shape['type'], readonly unknown[]> = {
    blob: ['%', 'AQI', 1],
    boolean: ['true', 1, {}],
    document: [],
    integer: ['1', 1.5, 2 ** 53, true],
    list: [{}, 'text', 1],
    long: ['1', 0.5],
    map: [[], 'text', { KEY: 1 }, { KEY: ['text'] }],
    string: [1, true, [], {}],
    structure: [[], 'text', 1],
    timestamp: ['2024-05-07T00:00:00Z', true],
  };
  for (const [operation, { input }] of OPERATION_MODELS) {
    const read = compileReader(input);
    const whole = sample(input) as Record<string, unknown>;
    for (const [name, member] of Object.entries(input.members ?? {})) {
      for (const value of wrong[member.type]) {
        const error = outcome(read, { ...whole, [name]: value });
        assert.ok(error instanceof ProtocolError, `${operation}.${name} ${JSON.stringify(value)}`);
        assert.equal(error.code, 'SerializationException');
      }
    }
  }
});
