import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { UserCaller } from '../kernel/caller.ts';
import { readTokenEndMs } from '../web-sessions/session-content.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { toUserHeaders } from './forward-auth/user-headers.ts';
import { presentSignedIn } from './present-signed-in.ts';
import { presentSessionUser } from './session-user.ts';

const CALLER = { sub: 'one', username: 'ada', groups: ['staff'] } as unknown as UserCaller;

function presentUser(claims: object) {
  const idToken = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  return presentSessionUser({
    content: { accessToken: '', idToken, refreshToken: '', csrfToken: '', proofs: [] },
    caller: CALLER,
  });
}

describe('the user of a session', () => {
  it('is the user in the access token, with the contacts of the ID token', () => {
    const { attributes: _, ...user } = presentUser({
      sub: 'other',
      email: 'a@b.c',
      email_verified: true,
      phone_number: '+1',
    });
    const contacts = { email: 'a@b.c', email_verified: true, phone_number: '+1' };
    assert.deepEqual(user, { sub: 'one', username: 'ada', groups: ['staff'], ...contacts });
    assert.equal(presentUser({ email_verified: 'true' }).email_verified, true);
    for (const claim of [false, 'false', 1, undefined])
      assert.equal(presentUser({ email_verified: claim }).email_verified, false);
    const bare = presentUser({ email: 5, phone_number: 5 });
    assert.deepEqual([bare.email, 'phone_number' in bare], [null, false]);
  });

  it('is read once from the same tokens, with its headers', () => {
    const content = { accessToken: '', idToken: 'e30.e30.x', refreshToken: '', csrfToken: '', proofs: [] };
    const session = { content, caller: CALLER } as unknown as WebSession;
    assert.equal(presentSessionUser(session), presentSessionUser(session));
    const forwarded = { session, groups: ['staff'] };
    assert.equal(toUserHeaders(forwarded), toUserHeaders({ ...forwarded }));
    assert.equal(toUserHeaders({ session, groups: ['other'] })['x-poolgate-groups'], 'other');
    assert.notEqual(presentSessionUser(session), presentSessionUser({ ...session, content: { ...content } }));
    assert.equal(toUserHeaders(undefined), toUserHeaders(undefined));
  });

  it('includes a device that was just remembered', () => {
    const content = { accessToken: '', idToken: 'e30.e30.x', refreshToken: '', csrfToken: 'c', proofs: [] };
    const session = { content, caller: CALLER, record: { expiresAtMs: 0 } } as unknown as WebSession;
    const device = { device_key: 'k', device_group_key: 'g' };
    assert.deepEqual(presentSignedIn(session, device).new_device_metadata, device);
    assert.equal('new_device_metadata' in presentSignedIn(session), false);
  });

  it('has attributes as text, whatever a provider returns, and nothing about the token', () => {
    const address = { formatted: '1 Main Street' };
    const odd = { list: ['x'], none: null, empty: {}, wrong: { formatted: 5 } };
    const own = { sub: '1', iss: '2', aud: '3', exp: 4, nonce: '5', identities: '6', 'cognito:username': 'ada' };
    const claims = { name: 'Ada', 'custom:age': 36, phone_number_verified: false, address, ...odd, ...own };
    const texts = { name: 'Ada', 'custom:age': '36', phone_number_verified: 'false', address: '1 Main Street' };
    assert.deepEqual(presentUser(claims).attributes, texts);
  });
});

it('tokens end at their expiry, or at once', () => {
  const ended = (claims: object) =>
    readTokenEndMs(`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`);
  assert.equal(ended({ exp: 1_700_000_000 }), 1_700_000_000_000);
  for (const claims of [{}, { exp: '1700000000' }, { exp: null }]) assert.equal(ended(claims), 0);
  assert.equal(readTokenEndMs('no token'), 0);
});
