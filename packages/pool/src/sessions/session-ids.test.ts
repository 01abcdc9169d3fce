import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSessionId, toSessionId } from './session-ids.ts';

test('every login has a unique session ID of 28 characters, which identifies it', () => {
  fc.assert(
    fc.property(fc.uuid(), (loginId) => {
      const sessionId = toSessionId(loginId);
      assert.match(sessionId, /^tkn[0-9a-z]{25}$/);
      assert.equal(parseSessionId(sessionId), loginId);
    }),
  );
  for (const loginId of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    assert.equal(parseSessionId(toSessionId(loginId)), loginId);
  }
});

test('an invalid session ID identifies no login', () => {
  const zeros = '0'.repeat(25);
  for (const text of [
    '',
    'tkn',
    `sso${zeros}`,
    `TKN${zeros}`,
    `tkn${zeros}0`,
    `tkn${'z'.repeat(25)}`,
    `tkn${'A'.repeat(25)}`,
  ]) {
    assert.equal(parseSessionId(text), undefined, text);
  }
});
