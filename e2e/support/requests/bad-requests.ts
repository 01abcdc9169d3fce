import { listAddresses, type ObjectSchema, ROUTES, type Route, type Schema } from '@poolgate/contract';
import { createPicker, type Picker } from './picker.ts';

/** An invalid request. The service must respond to it with a status below 500. */
export interface BadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The injected fault. */
  readonly fault: string;
}

/**
 * Generates an endless series of invalid requests to every route of the contract from its schemas: valid ones with one or more faults. The
 * same seed yields the same requests.
 */
export function* generateBadRequests(seed: number, apiPrefix = '/api/cognito'): Generator<BadRequest, never> {
  const pick = createPicker(seed);
  const routes = Object.values<Route>(ROUTES);
  for (;;) {
    const route = pick.of(routes);
    const { method, path } = pick.of(listAddresses(route));
    const good = {
      method,
      path: (route.mount === 'routes' && pick.below(2) === 0 ? apiPrefix : '') + fillPath(path, route, pick),
      headers: { 'content-type': 'application/json' },
      body: route.body === undefined ? undefined : JSON.stringify(sample(route.body, pick)),
      fault: '',
    };
    yield pick.of(FAULTS)(good, route, pick);
  }
}

function fillPath(path: string, route: Route, pick: Picker): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const schema = route.params?.properties[name];
    const value = schema === undefined ? 'x' : pick.below(2) === 0 ? 'someone' : pick.of(NASTY_TEXTS);
    return encodeURIComponent(value.toWellFormed());
  });
}

/** Returns a value of a schema, with the required type and length only. */
function sample(schema: Schema, pick: Picker): unknown {
  if ('anyOf' in schema) return sample(pick.of(schema.anyOf), pick);
  switch (schema.type) {
    case 'string':
      return schema.enum
        ? pick.of(schema.enum)
        : pick.of(['abc', '1', 'a@b.test', 'PASSWORD_VERIFIER', 'us-east-1_a1']);
    case 'object':
      return 'properties' in schema ? sampleObject(schema, pick) : { name: sample(schema.additionalProperties, pick) };
    case 'array':
      return [sample(schema.items, pick)];
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
  }
}

function sampleObject(schema: ObjectSchema, pick: Picker): Record<string, unknown> {
  const members = Object.entries(schema.properties).filter(
    ([name]) => (schema.required ?? []).includes(name) || pick.below(2) === 0,
  );
  return Object.fromEntries(members.map(([name, member]) => [name, sample(member, pick)]));
}

const NASTY_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u202e',
  '\ud800',
  '../../x',
  '%00',
  "' or 1=1 --",
  '#{7*7}',
  '__proto__',
  'constructor',
  '٣٤٥',
  '0x10',
  '-1',
  'f'.repeat(771),
  'a'.repeat(20_000),
  '😀'.repeat(129),
  '{"__proto__":{"polluted":true}}',
  '{"PASSWORD_CLAIM_SIGNATURE":null}',
  '{"SECRET_BLOCK":"AAAA","SALT":"0","SRP_B":"0","USER_ID_FOR_SRP":"x","PASSKEY_HASH":"00"}',
  '['.repeat(100),
] as const;

const NASTY_VALUES = [null, true, false, 0, -1, 1e308, 0.1, [], {}, [[]], { a: { b: {} } }, ...NASTY_TEXTS] as const;

type MakeFault = (good: BadRequest, route: Route, pick: Picker) => BadRequest;

function withBody(good: BadRequest, fault: string, body: string | Uint8Array): BadRequest {
  return { ...good, body, fault };
}

/** Replaces one member of the body with a hostile value, or removes it. */
const createWrongMember: MakeFault = (good, route, pick) => {
  const names = Object.keys(route.body?.properties ?? { x: 0 });
  const body = { ...(route.body && (sample(route.body, pick) as Record<string, unknown>)) };
  const name = pick.of(names);
  if (pick.below(5) === 0) delete body[name];
  else body[name] = pick.of(NASTY_VALUES);
  return withBody(good, `member ${name}`, JSON.stringify(body));
};

/** Hostile texts as the stringified object of a challenge, complete or as one of its members. */
const createWrongAnswer: MakeFault = (_good, _route, pick) => {
  const names = ['SALT', 'SECRET_BLOCK', 'SRP_B', 'USER_ID_FOR_SRP', 'PASSKEY_HASH', 'TIMESTAMP', 'PRIVATE_KEY'];
  const claims = [
    'PASSWORD_CLAIM_SIGNATURE',
    'PASSWORD_CLAIM_SECRET_BLOCK',
    'MESSAGE_BASE64',
    'NEW_PASSWORD',
    'DEVICE_KEY',
  ];
  const chosen = [...names, ...claims].filter(() => pick.below(2) === 0);
  const value = Object.fromEntries(chosen.map((name) => [name, pick.of([...NASTY_VALUES, 'ab', 'AAAA'])]));
  const body = {
    challenge_name: pick.of(['PASSWORD_VERIFIER', 'NEW_PASSWORD_REQUIRED', 'SMS_MFA', 'toString']),
    session: pick.of(['ab', '1', 'x'.repeat(4096)]),
    username: 'someone',
    challenge_value: pick.below(2) === 0 ? value : JSON.stringify(value),
    challenge_params: pick.of([undefined, '{}', '{"SALT":"1","SRP_B":"2","USER_ID_FOR_SRP":"x"}', 'x']),
  };
  return {
    method: 'POST',
    path: pick.of(['/challenge', '/login/challenge', '/login/auth-challenge']),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    fault: 'answer',
  };
};

const FAULTS: readonly MakeFault[] = [
  createWrongMember,
  createWrongMember,
  createWrongMember,
  createWrongAnswer,
  createWrongAnswer,
  (good, _route, pick) =>
    withBody(good, 'not JSON', pick.of(['{', '{"a":', 'nul', '"', '{"a":1}}', '\ufeff{}', '[1,]'])),
  (good, _route, pick) => withBody(good, 'not an object', pick.of(['null', '1', '"x"', '[]', 'true'])),
  (good) => withBody(good, 'no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)),
  (good) => withBody(good, 'deep', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  (good) =>
    withBody(good, 'prototype', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  (good) => withBody(good, 'too large', JSON.stringify({ username: 'a'.repeat(70_000) })),
  (good, _route, pick) => ({
    ...good,
    headers: {
      'content-type': pick.of(['text/plain', 'application/xml', 'multipart/form-data', 'application/jsonx', ';']),
    },
    fault: 'content type',
  }),
  (good, _route, pick) => ({
    ...good,
    method: pick.of(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST']),
    body: undefined,
    fault: 'method',
  }),
  (good, _route, pick) => ({
    ...good,
    path: pick.of([
      `/${good.path}`,
      `${good.path}/`,
      good.path.toUpperCase(),
      `${good.path};x`,
      `${good.path}%zz`,
      `${good.path}/%00`,
    ]),
    fault: 'path',
  }),
  (good, _route, pick) => ({
    ...good,
    headers: {
      ...good.headers,
      authorization: pick.of([
        'Bearer',
        'Bearer x',
        'Bearer a.b.c',
        'Bearer pg_a_b',
        'AWS4-HMAC-SHA256 x',
        'Basic eDp5',
        '\u00ff',
      ]),
    },
    fault: 'authorization',
  }),
  (good, _route, pick) => ({
    ...good,
    path: `${good.path}?${pick.of(['to=%00', 'to=a&to=b', 'to[]=x', '__proto__=1', '%zz', `to=${'a'.repeat(300)}`])}`,
    fault: 'query',
  }),
  (good, _route, pick) => ({
    ...good,
    headers: { ...good.headers, host: pick.of(['evil.test', '', 'localhost:99999', '[::1', 'a b']) },
    fault: 'host',
  }),
];
