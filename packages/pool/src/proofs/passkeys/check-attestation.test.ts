import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Attestation, findAttestationFault } from './check-attestation.ts';

const ANONYMOUS = '00000000-0000-0000-0000-000000000000';
const YUBIKEY = 'cb69481e-8ff7-4039-93ec-0a2729a154a8';
const SIGNATURE = Uint8Array.from(Buffer.from('3006020101020101', 'hex'));
const SELF = new Map<unknown, unknown>([
  ['alg', -7],
  ['sig', SIGNATURE],
]);

function findFault(change: Partial<Attestation>): string | undefined {
  return findAttestationFault({
    format: 'none',
    statement: new Map(),
    aaguid: ANONYMOUS,
    key: new Map([[3, -7]]),
    ...change,
  });
}

function conveyed(change: Partial<Attestation>): boolean {
  return findFault(change) === undefined;
}

describe('the attestation statement of a new passkey', () => {
  it('can be empty, for any model', () => {
    assert.ok(conveyed({}));
    assert.ok(conveyed({ aaguid: YUBIKEY }));
    assert.ok(!conveyed({ statement: new Map([['sig', SIGNATURE]]) }));
  });

  it('can be a signature of the key itself, by an authenticator that names no model', () => {
    assert.ok(conveyed({ format: 'packed', statement: SELF }));
    assert.ok(!conveyed({ format: 'packed', statement: SELF, aaguid: YUBIKEY }), 'a model that nobody vouches for');
    assert.ok(!conveyed({ format: 'packed', statement: new Map([...SELF, ['alg', -65535]]) }), 'another algorithm');
    assert.ok(!conveyed({ format: 'packed', statement: new Map([['alg', -7]]) }), 'no signature');
    const textual = new Map<unknown, unknown>([...SELF, ['sig', '3006020101020101']]);
    assert.ok(!conveyed({ format: 'packed', statement: textual }), 'a signature of no bytes');
    const other = new Map<unknown, unknown>([...SELF, ['alg', -257]]);
    assert.ok(!conveyed({ format: 'packed', statement: other, key: new Map([[3, -7]]) }), 'of another kind of key');
    const RSA = new Map<unknown, unknown>([
      ['alg', -257],
      ['sig', new Uint8Array(256)],
    ]);
    assert.ok(conveyed({ format: 'packed', statement: RSA, key: new Map([[3, -257]]) }));
    const longer = Uint8Array.from([...SIGNATURE, 0]);
    assert.ok(!conveyed({ format: 'packed', statement: new Map<unknown, unknown>([...SELF, ['sig', longer]]) }));
    assert.ok(!conveyed({ format: 'packed', statement: new Map([...SELF, ['ecdaaKeyId', SIGNATURE]]) }));
  });

  it('cannot be a chain of certificates, whoever signed them', () => {
    const chain = [new Uint8Array(300), new Uint8Array(400)];
    for (const format of ['packed', 'fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet', 'compound']) {
      assert.ok(!conveyed({ format, statement: new Map<unknown, unknown>([...SELF, ['x5c', chain]]) }), format);
    }
    for (const format of ['', 'None', 'constructor', '__proto__', undefined, 1]) {
      assert.ok(!conveyed({ format }), String(format));
    }
  });

  it('is recognized by its format and content', () => {
    assert.equal(findFault({ format: 'tpm' }), 'attestation_format');
    assert.equal(findFault({ format: undefined }), 'attestation_format');
    assert.equal(findFault({ format: 'packed' }), 'attestation_statement');
  });
});
