import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OAuthError } from '@poolgate/provider';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createOAuthRefusalLog, toLoggableAddress } from './oauth-refusals.ts';

const ERROR = new OAuthError('invalid_request', 'The redirect_uri is none of the callback URLs of the app client.');
const FACTS = { route: '/oauth2/authorize', error: 'invalid_request', detail: ERROR.message };

/** The log lines for refused requests with these queries or forms. */
function refusals() {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const log = createOAuthRefusalLog({ clock });
  const lines: object[] = [];
  const refuse = (
    query: string,
    { error = ERROR, address = '203.0.113.1', form = '' }: { error?: unknown; address?: string; form?: string } = {},
  ): void => {
    const request = {
      routeOptions: { url: '/oauth2/authorize' },
      raw: { url: `/oauth2/authorize?${query}` },
      body: form === '' ? undefined : Buffer.from(form),
      log: { info: (facts: object) => lines.push(facts) },
    };
    log(request as unknown as FastifyRequest, error, address);
  };
  return { clock, lines, refuse };
}

test('a refusal is logged with error, reason, app client and address, and with nothing else that was sent', () => {
  const { lines, refuse } = refusals();
  const secrets = 'state=S3cret&code=S3cret&id_token_hint=S3cret&code_challenge=S3cret&login_hint=S3cret&nonce=S3cret';
  refuse(`client_id=abc&redirect_uri=https%3A%2F%2Fapp.test%2Fcb%3Fcode%3DS3cret%23S3cret&${secrets}`);
  refuse(`client_id=abc&logout_uri=https://app.test/bye&${secrets}`);
  refuse('', { form: `client_id=abc&post_logout_redirect_uri=https://app.test/end&csrf_token=S3cret&${secrets}` });
  refuse(`client_id=%3Cb%3ES3cret`);
  refuse(`client_id=${'a'.repeat(16_384)}`);
  refuse('client_id=abc', { error: new GatewayError('not_found', 'The user pool has no domain.') });
  assert.deepEqual(lines, [
    { ...FACTS, client_id: 'abc', redirect_uri: 'https://app.test/cb?...' },
    { ...FACTS, client_id: 'abc', logout_uri: 'https://app.test/bye' },
    { ...FACTS, client_id: 'abc', logout_uri: 'https://app.test/end' },
    { ...FACTS, client_id: '(malformed)' },
    FACTS,
    { ...FACTS, error: 'not_found', detail: 'The user pool has no domain.', client_id: 'abc' },
  ]);
  assert.doesNotMatch(JSON.stringify(lines), /S3cret/);
});

test('failures and limits are not logged as refusals of the application', () => {
  const { lines, refuse } = refusals();
  for (const error of [new TypeError('x'), new GatewayError('too_many_requests'), new GatewayError('internal_error')])
    refuse('client_id=abc', { error });
  assert.deepEqual(lines, []);
});

test('a stranger cannot flood the log: one line per refusal, ten per network and 60 in total a minute', () => {
  const { clock, lines, refuse } = refusals();
  for (let count = 0; count < 3; count += 1) refuse('client_id=same');
  assert.equal(lines.length, 1);
  for (let count = 0; count < 30; count += 1) refuse(`client_id=${count}`);
  assert.equal(lines.length, 10);
  for (let count = 0; count < 100; count += 1) refuse(`client_id=n${count}`, { address: `198.51.${count}.1` });
  assert.equal(lines.length, 60);
  clock.nowMs = 60_000;
  refuse('client_id=same');
  assert.equal(lines.length, 61);
});

test('an address is logged without credentials, query and fragment, as printable text of limited length', () => {
  for (const [address, shown] of [
    ['https://app.test/cb', 'https://app.test/cb'],
    ['myapp://callback', 'myapp://callback'],
    ['/relative', '/relative'],
    ['', ''],
    ['https://user:S3cret@app.test/cb', 'https://...@app.test/cb'],
    ['https:\\\\user:S3cret@app.test', 'https:\\\\...@app.test'],
    ['https://app.test/@user', 'https://app.test/@user'],
    ['https://app.test?token=S3cret', 'https://app.test?...'],
    ['https://app.test/#S3cret', 'https://app.test/#...'],
    ['https://app.test/a b\n"\u001b[2J\u202e', 'https://app.test/a_b_"_[2J_'],
    [`https://app.test/${'s'.repeat(65)}/x`, 'https://app.test/*/x'],
    [`https://app.test${'/abc'.repeat(99)}`, `https://app.test${'/abc'.repeat(60)}...`],
  ] as const) {
    assert.equal(toLoggableAddress(address), shown, address);
  }
  assert.ok(toLoggableAddress(`https://app.test${'/é'.repeat(9999)}`).length <= 259);
});
