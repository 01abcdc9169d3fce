import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesFromInteger } from './integer.ts';
import { openSslEngine as engine } from './openssl.ts';
import { parsePrivateValue, parsePublicValue, parseVerifier } from './parse-values.ts';
import { signClaim, verifyClaim } from './password-claim.ts';
import { hashPassword, parsePasswordHash } from './password-hash.ts';
import { secureRandom } from './random.ts';
import { deriveSessionKey } from './session-key.ts';
import { finishClient, startClient, startClientWithPrivateValue } from './srp-client.ts';
import type { SrpEngine } from './srp-engine.ts';
import { computeScramblingParameter } from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import { answerSrpA, answerSrpAWithPrivateValue } from './srp-server.ts';
import { makeVerifier } from './verifier.ts';

const group = COGNITO_GROUP;
const N = group.modulus;
const hex = (value: bigint): string => value.toString(16);
const identity = { poolName: 'TestPool1', userIdForSrp: 'alice' };
const hash = hashPassword(engine, identity, 'Correct-Horse1!');
const stored = makeVerifier({ engine, passwordHash: hash, random: secureRandom });
const client = startClient({ engine, random: secureRandom });
const server = answerSrpA({ engine, ...client, ...stored, random: secureRandom });

const OUT_OF_RANGE = ['0', '00', '1', '01', hex(N), `00${hex(N)}`, hex(N - 1n), hex(N + 1n), `00${'f'.repeat(768)}`];
const MALFORMED: unknown[] = [
  '',
  `-${hex(N)}`,
  '-1',
  '0x02',
  `0x${hex(N)}`,
  ' 2',
  '2\n',
  '２２',
  '٣٣',
  'g',
  '1e3.',
  ...[2n, 3n, 4n, 5n, 6n, 7n, 8n].map((n) => `00${hex(n * N)}`),
  `000${hex(N)}`,
  `000${hex(N - 2n)}`,
  'a'.repeat(10_240),
  ['22'],
  22,
  22n,
  true,
  null,
  undefined,
  {},
];

/** Counts exponentiations, to show that values are rejected before the first one. */
function countingEngine(): SrpEngine & { powers: number } {
  const counting = {
    ...engine,
    powers: 0,
    powMod: (...operands: Parameters<SrpEngine['powMod']>) => {
      counting.powers++;
      return engine.powMod(...operands);
    },
    powModPublic: (...operands: Parameters<SrpEngine['powMod']>) => {
      counting.powers++;
      return engine.powModPublic(...operands);
    },
  };
  return counting;
}

for (const field of ['SRP_A', 'SRP_B'] as const) {
  test(`rejects ${field} outside 1 < value < N - 1`, () => {
    for (const text of [...OUT_OF_RANGE, hex(2n * N), hex(2n ** 3073n - 1n)]) {
      assert.throws(() => parsePublicValue(text, field, group), { code: 'public_value_out_of_range', field });
    }
  });

  test(`rejects ${field} that is not a hexadecimal number of an allowed length`, () => {
    for (const text of MALFORMED) {
      assert.throws(() => parsePublicValue(text as string, field, group), { code: 'malformed_hex', field });
    }
  });
}

test('reads either case, odd lengths and leading zeros as the same number', () => {
  const value = 0x0abcdefn;
  for (const text of ['abcdef', 'ABCDEF', '0aBcDeF', `00${'0'.repeat(762)}abcdef`]) {
    assert.equal(parsePublicValue(text, 'SRP_A', group), value);
  }
  assert.equal(parsePublicValue('2', 'SRP_A', group), 2n);
  assert.equal(parsePublicValue(`00${hex(N - 2n)}`, 'SRP_A', group), N - 2n);
});

test('rejects a zero key at the server’s arithmetic entry point, before any exponentiation', () => {
  const counting = countingEngine();
  const claim = { identity, secretBlockB64: 'AAAA', timestamp: 'Tue May 7 00:09:40 UTC 2025' };
  for (const multiple of [0n, N]) {
    const u = computeScramblingParameter(engine, multiple, BigInt(`0x${server.srpBHex}`));
    const forged = signClaim(engine, deriveSessionKey(engine, 0n, u), claim);
    const answer = () => answerSrpA({ engine: counting, srpAHex: hex(multiple), ...stored, random: secureRandom });
    assert.throws(answer, { code: 'public_value_out_of_range' });
    assert.equal(verifyClaim(engine, server.key, claim, forged), false);
  }
  assert.equal(counting.powers, 0);
});

test('a client that receives a forbidden SRP_B neither proves nor computes anything', () => {
  const counting = countingEngine();
  for (const srpBHex of [...OUT_OF_RANGE, ...MALFORMED]) {
    const finish = { engine: counting, ...client, srpBHex: srpBHex as string, saltHex: 'ab', passwordHash: hash };
    assert.throws(() => finishClient(finish), { name: 'SrpError', field: 'SRP_B' });
  }
  assert.equal(counting.powers, 0);
});

test('client and server reject u = 0 before they compute an exponentiation that it could fix', () => {
  const counting = Object.assign(countingEngine(), { sha256: () => new Uint8Array(32) });
  const zero = { code: 'scrambling_zero', field: 'u' };
  const { srpAHex } = client;
  assert.throws(() => answerSrpA({ engine: counting, srpAHex, ...stored, random: secureRandom }), zero);
  assert.equal(counting.powers, 1, 'g^b');
  const finish = { engine: counting, ...client, ...server, saltHex: 'ab', passwordHash: hash };
  assert.throws(() => finishClient(finish), zero);
  assert.equal(counting.powers, 1, 'no other');
});

test('an invented, empty or malformed signature is wrong', () => {
  const { key } = server;
  const claim = { identity, secretBlockB64: 'AAAA', timestamp: 'Tue May 7 00:09:40 UTC 2025' };
  const right = signClaim(engine, key, claim);
  const invented: unknown[] = [
    '',
    '=',
    'AAAA',
    `${right}\n`,
    right.slice(0, -1),
    right.toLowerCase(),
    null,
    [right],
    {},
    true,
  ];
  for (const text of invented) assert.equal(verifyClaim(engine, key, claim, text as string), false);
  assert.equal(verifyClaim(engine, key, claim, right), true);
});

test('rejects a private value of 0, 1, N - 1, N or above', () => {
  for (const a of [0n, 1n, N - 1n, N, 2n ** 3072n - 1n]) {
    assert.throws(() => startClientWithPrivateValue({ engine, aHex: hex(a) }), {
      code: 'private_value_out_of_range',
      field: 'a',
    });
  }
  for (const aHex of [hex(2n ** 4096n), '', '0x2', '-2']) {
    assert.throws(() => startClientWithPrivateValue({ engine, aHex }), { code: 'malformed_hex', field: 'a' });
  }
  const weak = { engine, srpAHex: client.srpAHex, ...stored, bHex: '1' };
  assert.throws(() => answerSrpAWithPrivateValue(weak), { code: 'private_value_out_of_range', field: 'b' });
});

test('the server rejects a verifier of 0, 1, N - 1, N or above', () => {
  for (const v of [0n, 1n, N - 1n, N, N + 1n]) {
    const verifier = bytesFromInteger(v, 385);
    const input = { engine, srpAHex: client.srpAHex, verifier, random: secureRandom };
    assert.throws(() => answerSrpA(input), { code: 'weak_verifier' });
    assert.throws(() => parseVerifier(verifier, group), { code: 'weak_verifier' });
  }
  assert.equal(parseVerifier(bytesFromInteger(5n, 385), group), 5n);
  assert.throws(() => parseVerifier(bytesFromInteger(5n, 386), group), { code: 'weak_verifier' });
});

test('rejects a password hash of the wrong length or alphabet', () => {
  for (const text of ['', 'ab', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `0x${'a'.repeat(62)}`, 7, null]) {
    assert.throws(() => parsePasswordHash(text as string), { code: 'malformed_hex', field: 'PASSKEY_HASH' });
  }
});

test('errors never contain the rejected value', () => {
  const secret = `${'5ec2e7'.repeat(10)}zz`;
  for (const parse of [() => parsePasswordHash(secret), () => parsePrivateValue(secret, 'a', group)]) {
    assert.throws(parse, (error: Error) => !`${error.stack}${JSON.stringify(error)}`.includes('5ec2e7'));
  }
});

test('timing reveals no exponent of a server or client except u', () => {
  const exponents: { secret: bigint[]; public: bigint[] } = { secret: [], public: [] };
  const watching: SrpEngine = {
    ...engine,
    powMod(base, exponent, group) {
      exponents.secret.push(exponent);
      return engine.powMod(base, exponent, group);
    },
    powModPublic(base, exponent, group) {
      exponents.public.push(exponent);
      return engine.powModPublic(base, exponent, group);
    },
  };
  const started = startClient({ engine: watching, random: secureRandom });
  const answered = answerSrpA({ engine: watching, ...started, ...stored, random: secureRandom });
  finishClient({ engine: watching, ...started, ...answered, ...stored, passwordHash: hash });
  const u = computeScramblingParameter(engine, BigInt(`0x${started.srpAHex}`), BigInt(`0x${answered.srpBHex}`));
  assert.deepEqual(exponents.public, [u]);
  assert.equal(exponents.secret.length, 5);
});
