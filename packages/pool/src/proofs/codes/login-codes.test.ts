import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createContact } from '../../identity/contacts.ts';
import type { UserRecord } from '../../store/records.ts';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createMacPorts, createTestPoolRecord, RANDOM_PORT } from '../../testing/test-ports.ts';
import {
  createSameContactCheck,
  decodeLoginCodeState,
  findLoginCodeError,
  type LoginCodeRequest,
  prepareLoginCode,
  readStateAfterLoginCode,
  wrongLoginCodeError,
} from './login-codes.ts';

const NOW_MS = Date.UTC(2026, 4, 7);
const ports = { ...createMacPorts(), ...RANDOM_PORT };
const pool = createTestPoolRecord();
const scope = { purpose: 'EMAIL_MFA', username: 'ada' };
const WANTED: LoginCodeRequest = {
  ...scope,
  kind: 'mfa',
  digits: 6,
  contact: createContact('email', 'ada@example.com'),
  typedName: 'Ada',
  locale: 'de',
  isDecoy: false,
  sessionEndsAtMs: NOW_MS + 180_000,
  nowMs: NOW_MS,
};

const digestCode = (code: string) =>
  computeMacIndependently(pool, 'login-code', JSON.stringify(['EMAIL_MFA', 'ada', code]));
const told = (error: { readonly code: string; readonly message: string } | undefined) =>
  error && [error.code, error.message];

const WRONG = ['CodeMismatchException', 'Invalid code or auth state for the user.'];
const EXPIRED = ['ExpiredCodeException', 'Invalid code provided, please request a code again.'];

describe('a code that a login sends', () => {
  it('goes to its contact, which is shown in part, and stores digests and a time in 72 bytes', () => {
    const { parameters, message, state } = prepareLoginCode(ports, pool, WANTED);
    assert.deepEqual(parameters, {
      CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
      CODE_DELIVERY_DESTINATION: 'a***@e***',
    });
    const { code, ...rest } = message;
    assert.match(code, /^\d{6}$/);
    assert.deepEqual(rest, {
      kind: 'mfa',
      contact: WANTED.contact,
      username: 'Ada',
      expiresAtMs: NOW_MS + 180_000,
      locale: 'de',
      discard: false,
    });
    assert.equal(state.length, 72);
    const kept = decodeLoginCodeState(Buffer.concat([Buffer.alloc(3), state, Buffer.from('more')]).subarray(3));
    assert.deepEqual(Buffer.from(kept.codeDigest), digestCode(code));
    assert.deepEqual(
      Buffer.from(kept.destinationDigest),
      computeMacIndependently(pool, 'login-code-destination', 'ada@example.com'),
    );
    assert.equal(kept.expiresAtMs, NOW_MS + 180_000);
    assert.equal(Buffer.from(readStateAfterLoginCode(Buffer.concat([state, Buffer.from('more')]))).toString(), 'more');
  });

  it('works for up to ten minutes, even if the session lasts longer', () => {
    for (const [sessionMs, goodMs] of [
      [599_999, 599_999],
      [600_000, 600_000],
      [900_000, 600_000],
    ] as const) {
      const { message, state } = prepareLoginCode(ports, pool, { ...WANTED, sessionEndsAtMs: NOW_MS + sessionMs });
      assert.equal(message.expiresAtMs, NOW_MS + goodMs);
      const refusalAfter = (ms: number) =>
        told(
          findLoginCodeError(ports, pool, decodeLoginCodeState(state), {
            ...scope,
            code: message.code,
            nowMs: NOW_MS + ms,
          }),
        );
      assert.deepEqual([refusalAfter(goodMs - 1), refusalAfter(goodMs)], [undefined, EXPIRED]);
    }
  });

  it('is called expired only to a user who knows it, and belongs to its user and purpose', () => {
    const { message, state } = prepareLoginCode(ports, pool, WANTED);
    const right = { ...scope, code: message.code, nowMs: NOW_MS };
    const late = { ...right, nowMs: NOW_MS + 600_000 };
    const other = message.code === '000000' ? '000001' : '000000';
    const refusal = (answer: typeof right) =>
      told(findLoginCodeError(ports, pool, decodeLoginCodeState(state), answer));
    assert.deepEqual(refusal(right), undefined);
    assert.deepEqual(refusal(late), EXPIRED);
    for (const wrong of [{ code: other }, { code: '' }, { username: 'bob' }, { purpose: 'SMS_MFA' }]) {
      assert.deepEqual(refusal({ ...right, ...wrong }), WRONG);
      assert.deepEqual(refusal({ ...late, ...wrong }), WRONG);
    }
  });

  it('is never right for a decoy, which looks the same and is not sent', () => {
    const { message, state } = prepareLoginCode(ports, pool, { ...WANTED, isDecoy: true });
    assert.equal(message.discard, true);
    assert.equal(state.length, 72);
    const answer = { ...scope, code: message.code, nowMs: NOW_MS };
    assert.deepEqual(told(findLoginCodeError(ports, pool, decodeLoginCodeState(state), answer)), WRONG);
  });

  it('verifies the contact that it went to, and no other', async () => {
    const kept = decodeLoginCodeState(prepareLoginCode(ports, pool, WANTED).state);
    const findRefusal = async (attributes: Record<string, string>) =>
      told(await createSameContactCheck(ports, pool, kept, 'email')(undefined, { user: { attributes } as UserRecord }));
    assert.equal(await findRefusal({ email: 'ada@example.com' }), undefined);
    for (const attributes of [{ email: 'eve@example.com' }, { phone_number: 'ada@example.com' }, {}]) {
      assert.deepEqual(await findRefusal(attributes as Record<string, string>), WRONG);
    }
    assert.deepEqual(told(wrongLoginCodeError()), WRONG);
  });
});
