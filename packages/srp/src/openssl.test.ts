import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { DiffieHellman, type DiffieHellmanGroup, getDiffieHellman } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { test } from 'node:test';
import { bigIntEngine } from './bigint-engine.ts';
import { integerFromBytes } from './integer.ts';
import { createOpenSslEngine } from './openssl.ts';
import { computeRsaPower } from './openssl-rsa.ts';
import { COGNITO_GROUP } from './srp-group.ts';

const unusable: Record<string, () => DiffieHellmanGroup> = {
  'there is no such group': () => {
    throw new Error('unknown group');
  },
  'the group has another prime': () => getDiffieHellman('modp14'),
  'setPrivateKey does not work on a named group': () => {
    const real = getDiffieHellman('modp15');
    return { getPrime: () => real.getPrime(), getGenerator: () => real.getGenerator() } as DiffieHellmanGroup;
  },
  'computeSecret gives a wrong power': () =>
    Object.assign(getDiffieHellman('modp15'), { computeSecret: () => Buffer.alloc(384, 7) }),
  'generateKeys draws a key of its own': () =>
    Object.assign(getDiffieHellman('modp15'), { generateKeys: () => getDiffieHellman('modp15').generateKeys() }),
};

for (const [fault, openGroup] of Object.entries(unusable)) {
  test(`falls back to BigInt and reports it when ${fault}`, () => {
    const told: unknown[] = [];
    let opened = 0;
    const engine = createOpenSslEngine({
      openGroup: () => {
        opened++;
        return openGroup();
      },
      onFallback: (cause) => told.push(cause),
    });
    for (const base of [2n, 5n]) {
      const expected = bigIntEngine.powMod(base, 77n, COGNITO_GROUP);
      assert.equal(engine.powMod(base, 77n, COGNITO_GROUP), expected);
      assert.equal(engine.powModPublic(base, 77n, COGNITO_GROUP), expected);
    }
    const outcome = engine.selfTest();
    assert.ok(!outcome.native && outcome.cause instanceof Error);
    assert.deepEqual(told, [outcome.cause]);
    assert.equal(opened, 1);
  });
}

const unusablePublic: Record<string, () => Uint8Array> = {
  'OpenSSL refuses the key': () => {
    throw new Error('invalid key');
  },
  'OpenSSL gives a wrong power': () => new Uint8Array(384).fill(7),
};

for (const [fault, publicPower] of Object.entries(unusablePublic)) {
  test(`computes powers with a public exponent like secret ones when ${fault}`, () => {
    let asked = 0;
    const engine = createOpenSslEngine({
      publicPower: () => {
        asked++;
        return publicPower();
      },
      onFallback: () => assert.fail('the powers are native all the same'),
    });
    for (let time = 0; time < 2; time++) {
      assert.equal(engine.powModPublic(5n, 77n, COGNITO_GROUP), bigIntEngine.powMod(5n, 77n, COGNITO_GROUP));
    }
    assert.deepEqual(engine.selfTest(), { native: true });
    assert.equal(asked, 1);
  });
}

test('computes powers in constant time, except those with a public exponent', () => {
  const asked: bigint[] = [];
  const publicPower = (base: bigint, exponent: bigint) => {
    asked.push(exponent);
    return computeRsaPower(base, exponent);
  };
  const engine = createOpenSslEngine({ publicPower });
  engine.selfTest();
  const tested = asked.length;
  engine.powMod(5n, 77n, COGNITO_GROUP);
  engine.powModPublic(5n, 78n, COGNITO_GROUP);
  assert.deepEqual(asked.slice(tested), [78n]);
});

const compute = DiffieHellman.prototype.computeSecret as (this: DiffieHellmanGroup, base: Uint8Array) => Buffer;

/** Node 22's OpenSSL, which refuses a base that is not a square of the group. */
function refusingBase(refused: bigint, code: string): () => DiffieHellmanGroup {
  return () => {
    const native = getDiffieHellman('modp15');
    const computeSecret = (base: Uint8Array): Buffer => {
      if (integerFromBytes(base) === refused) throw Object.assign(new Error('invalid key'), { code });
      return compute.call(native, base);
    };
    return Object.assign(native, { computeSecret });
  };
}

test('computes the power of a base that OpenSSL refuses from its negative, with the sign of the exponent', () => {
  const engine = createOpenSslEngine({
    openGroup: refusingBase(5n, 'ERR_CRYPTO_INVALID_KEYTYPE'),
    onFallback: () => assert.fail('OpenSSL takes the negative'),
  });
  for (const exponent of [77n, 78n]) {
    assert.equal(engine.powMod(5n, exponent, COGNITO_GROUP), bigIntEngine.powMod(5n, exponent, COGNITO_GROUP));
  }
});

test('does not mistake another error of OpenSSL for a refused base', () => {
  const engine = createOpenSslEngine({ openGroup: refusingBase(5n, 'ERR_OSSL_DH_INVALID_PUBKEY') });
  assert.throws(() => engine.powMod(5n, 77n, COGNITO_GROUP), { code: 'ERR_OSSL_DH_INVALID_PUBKEY' });
});

test('emits a process warning for a fallback by default', async () => {
  const warned = once(process, 'warning');
  createOpenSslEngine({ openGroup: () => getDiffieHellman('modp14') }).selfTest();
  const [warning] = (await warned) as [Error & { code: string }];
  assert.equal(warning.code, 'POOLGATE_SRP_NOT_NATIVE');
});

test('runs the self-test once, on first use', () => {
  let opened = 0;
  const engine = createOpenSslEngine({
    openGroup: () => {
      opened++;
      return getDiffieHellman('modp15');
    },
  });
  assert.equal(opened, 0);
  engine.powMod(2n, 3n, COGNITO_GROUP);
  assert.deepEqual(engine.selfTest(), { native: true });
  assert.equal(opened, 1);
});
