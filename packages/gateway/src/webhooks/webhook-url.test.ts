import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { parseWebhookUrl } from './webhook-url.ts';

const OPEN = { privateWebhooks: true };
const CLOSED = { privateWebhooks: false };

test('a webhook uses HTTPS; HTTP only if private webhooks are allowed', () => {
  assert.equal(parseWebhookUrl('https://hooks.example/x?y=1', CLOSED), 'https://hooks.example/x?y=1');
  assert.equal(parseWebhookUrl('http://127.0.0.1:9/x', OPEN), 'http://127.0.0.1:9/x');
  assert.throws(() => parseWebhookUrl('http://hooks.example/x', CLOSED), GatewayError);
});

test('a webhook has no user information, no fragment and no other scheme', () => {
  for (const url of [
    'https://ada@hooks.example/',
    'https://ada:secret@hooks.example/',
    'https://hooks.example/#x',
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'https://',
    'hooks.example',
  ]) {
    assert.throws(() => parseWebhookUrl(url, OPEN), GatewayError, url);
  }
});

test('a name of this machine is refused, however it is written', () => {
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'x.localhost', 'x.localhost.']) {
    assert.throws(() => parseWebhookUrl(`https://${host}/`, CLOSED), GatewayError, host);
    parseWebhookUrl(`https://${host}/`, OPEN);
  }
  parseWebhookUrl('https://localhost.example/', CLOSED);
});
