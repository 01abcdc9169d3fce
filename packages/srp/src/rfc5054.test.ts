import assert from 'node:assert/strict';
import { checkPrimeSync, createDiffieHellmanGroup, createHash } from 'node:crypto';
import { test } from 'node:test';
import { concat, fromHex, utf8 } from './bytes.ts';
import { bytesFromInteger, integerFromBytes } from './integer.ts';
import { RFC5054_GROUPS } from './rfc5054-groups.ts';
import {
  computeClientSecret,
  computeGeneratorPower,
  computeServerPublic,
  computeServerSecret,
} from './srp-equations.ts';
import { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';
import { testEngines } from './testing/engines.ts';
import vector from './vectors/rfc5054.json' with { type: 'json' };

const group: SrpGroup = RFC5054_GROUPS[1024];
const integer = (hex: string): bigint => integerFromBytes(fromHex(hex));

/** H and PAD of RFC 5054, which differ from Cognito's. */
function sha1(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(
    createHash('sha1')
      .update(concat(...parts))
      .digest(),
  );
}
const fill = (value: bigint): Uint8Array => bytesFromInteger(value, group.lengthBytes);

test('appendix A: the moduli are safe primes of their length', () => {
  for (const [bits, { modulus, lengthBytes }] of Object.entries(RFC5054_GROUPS)) {
    assert.equal(modulus.toString(2).length, Number(bits));
    assert.equal(lengthBytes * 8, Number(bits));
    assert.ok(checkPrimeSync(modulus, { checks: 2 }) && checkPrimeSync(modulus >> 1n, { checks: 2 }));
  }
});

test("RFC 3526: the prime computed from π equals OpenSSL's stored one", () => {
  const known = createDiffieHellmanGroup('modp15').getPrime('hex');
  assert.equal(COGNITO_GROUP.modulus.toString(16), known);
  assert.equal(COGNITO_GROUP.lengthBytes * 2, known.length);
});

for (const engine of testEngines) {
  test(`appendix B through the same equations: ${engine.name}`, () => {
    const k = integerFromBytes(sha1(fill(group.modulus), fill(group.generator)));
    assert.equal(k, integer(vector.kHex));
    const x = integerFromBytes(sha1(fromHex(vector.sHex), sha1(utf8(`${vector.I}:${vector.P}`))));
    assert.equal(x, integer(vector.xHex));
    const v = computeGeneratorPower(engine, group, x);
    assert.equal(v, integer(vector.vHex));
    const [a, b] = [integer(vector.aHex), integer(vector.bHex)];
    const A = computeGeneratorPower(engine, group, a);
    assert.equal(A, integer(vector.AHex));
    const B = computeServerPublic(engine, group, { b, k, v });
    assert.equal(B, integer(vector.BHex));
    const u = integerFromBytes(sha1(fill(A), fill(B)));
    assert.equal(u, integer(vector.uHex));
    assert.equal(computeClientSecret(engine, group, { a, B, k, u, x }), integer(vector.SHex));
    assert.equal(computeServerSecret(engine, group, { A, b, u, v }), integer(vector.SHex));
  });
}
