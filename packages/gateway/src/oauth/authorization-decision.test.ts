import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OAuthPrompt } from '@poolgate/provider';
import { type AuthorizationFacts, type RequiredStep, selectRequiredStep } from './authorization-decision.ts';

const NOW = 1_000_000;
const REQUEST = {
  redirectUri: 'https://app.test/',
  isRedirectUriSent: true,
  responseType: 'code',
  scope: 'openid',
  state: null,
  nonce: null,
  codeChallenge: null,
  audience: null,
  prompts: [],
  maxAgeSeconds: null,
} as const;

type Asked = {
  readonly prompts?: readonly OAuthPrompt[];
  readonly maxAgeSeconds?: number;
  readonly hintedSub?: string;
};

function need(asked: Asked, facts: Partial<AuthorizationFacts> = {}, SsoSeconds = 3_600): RequiredStep {
  const login = { authTimeSeconds: NOW - 100, sub: 'ada' };
  const known = { ...login, nowSeconds: NOW, askedAtSeconds: undefined, isConfirmed: false };
  return selectRequiredStep({ SsoSeconds, Request: { ...REQUEST, ...asked } }, { ...known, ...facts });
}

test('a login is reused while client, prompt and max_age allow it', () => {
  const rows: readonly (readonly [Asked, Partial<AuthorizationFacts>, number, RequiredStep])[] = [
    [{}, {}, 3_600, 'nothing'],
    [{}, { authTimeSeconds: undefined }, 3_600, 'login'],
    [{}, {}, 101, 'nothing'],
    [{}, {}, 100, 'login'],
    [{}, {}, 0, 'login'],
    [{ maxAgeSeconds: 100 }, {}, 3_600, 'nothing'],
    [{ maxAgeSeconds: 99 }, {}, 3_600, 'login'],
    [{ maxAgeSeconds: 0 }, { authTimeSeconds: NOW }, 3_600, 'login'],
    [{ prompts: ['login'] }, { authTimeSeconds: NOW }, 3_600, 'login'],
    [{ prompts: ['create'] }, { authTimeSeconds: NOW }, 3_600, 'login'],
    [{ prompts: ['none'] }, {}, 3_600, 'nothing'],
    [{ prompts: ['consent'] }, {}, 3_600, 'confirmation'],
    [{ prompts: ['select_account'] }, {}, 3_600, 'confirmation'],
    [{ prompts: ['login', 'consent'] }, {}, 3_600, 'login'],
    [{ prompts: ['consent'] }, { isConfirmed: true }, 3_600, 'nothing'],
  ];
  for (const [asked, facts, sso, expected] of rows) {
    assert.equal(need(asked, facts, sso), expected, JSON.stringify([asked, facts, sso]));
  }
});

test('a login made for the request is accepted, whatever it requires, and an older one is not', () => {
  const since = { askedAtSeconds: NOW - 100 };
  const before = { askedAtSeconds: NOW - 99 };
  for (const asked of [
    { prompts: ['login'] },
    { prompts: ['create'] },
    { maxAgeSeconds: 0 },
    { maxAgeSeconds: 5 },
  ] as const) {
    assert.equal(need(asked, since), 'nothing');
    assert.equal(need(asked, before), 'login');
  }
  assert.equal(need({}, since, 0), 'nothing');
  assert.equal(need({}, before, 0), 'login');
  assert.equal(need({ prompts: ['login', 'consent'] }, since), 'confirmation', 'consent is asked for in any case');
  assert.equal(need({ prompts: ['select_account'] }, since), 'nothing', 'who has just logged in has chosen');
});

test('a session that an identity provider started counts for single sign-on, and not as a new login', () => {
  const since = { askedAtSeconds: NOW - 50, providerSignInSeconds: NOW - 10 };
  assert.equal(need({}, since, 0), 'nothing');
  assert.equal(need({ prompts: ['create'] }, since), 'nothing');
  assert.equal(need({ hintedSub: 'bob' }, since), 'refusal');
  assert.equal(need({ prompts: ['login'] }, since), 'login');
  assert.equal(need({ maxAgeSeconds: 0 }, since), 'login');
  assert.equal(need({ maxAgeSeconds: 99 }, since), 'login');
  assert.equal(need({ maxAgeSeconds: 100 }, since), 'nothing');
  const proven = { ...since, authTimeSeconds: NOW - 50 };
  for (const asked of [{ prompts: ['login'] }, { maxAgeSeconds: 0 }] as const) {
    assert.equal(need(asked, proven), 'nothing');
    assert.equal(need(asked, { ...proven, isAuthTimeUnknown: true }), 'login');
  }
  assert.equal(need({ maxAgeSeconds: 3_600 }, { ...since, isAuthTimeUnknown: true }), 'login', 'its age is unknown');
  assert.equal(need({}, { ...since, isAuthTimeUnknown: true }), 'nothing');
});

test('a client that names its user with a hint gets no other user', () => {
  assert.equal(need({ hintedSub: 'ada' }), 'nothing');
  assert.equal(need({ hintedSub: 'bob' }), 'login');
  assert.equal(need({ hintedSub: 'bob', prompts: ['none'] }), 'login');
  assert.equal(need({ hintedSub: 'ada' }, { authTimeSeconds: undefined, sub: undefined }), 'login');
  const since = { askedAtSeconds: NOW - 100 };
  assert.equal(need({ hintedSub: 'bob' }, since), 'refusal', 'another user has just logged in');
  assert.equal(need({ hintedSub: 'bob', prompts: ['consent'] }, { ...since, isConfirmed: true }), 'refusal');
  assert.equal(need({ hintedSub: 'ada' }, since), 'nothing');
});
