import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromBase64, toBase64 } from './bytes.ts';
import { hexFromInteger } from './integer.ts';
import { type PasswordClaim, signClaim, verifyClaim } from './password-claim.ts';
import { hashPassword } from './password-hash.ts';
import { drawEphemeral, type RandomBytes } from './random.ts';
import { RFC5054_GROUPS } from './rfc5054-groups.ts';
import { type ClientFinishInput, finishClient, startClient } from './srp-client.ts';
import type { SrpEngine } from './srp-engine.ts';
import { answerSrpA, answerSrpAWithPrivateValue } from './srp-server.ts';
import { testEngines } from './testing/engines.ts';
import { createSeededRandom } from './testing/seeded-random.ts';
import { makeVerifier, matchesVerifier } from './verifier.ts';

const identity = { poolName: 'TestPool1', userIdForSrp: 'alice' };

function exchange(engine: SrpEngine, password: string, random: RandomBytes) {
  const hash = hashPassword(engine, identity, password);
  const stored = makeVerifier({ engine, passwordHash: hash, random });
  const client = startClient({ engine, random });
  const serverSide = { engine, ...client, ...stored, bHex: hexFromInteger(drawEphemeral(random)) };
  const { srpBHex, key } = answerSrpAWithPrivateValue(serverSide);
  const claim: PasswordClaim = {
    identity,
    secretBlockB64: toBase64(random(64)),
    timestamp: 'Tue May 7 00:09:40 UTC 2025',
  };
  const clientSide: ClientFinishInput = { engine, ...client, srpBHex, ...stored, passwordHash: hash };
  return { claim, clientSide, serverSide, key };
}

/** Flips one bit of a hexadecimal text and keeps its length. */
function flipHex(hex: string, bit: number): string {
  const position = hex.length - 1 - (bit % (hex.length - 1));
  const digit = Number.parseInt(hex[position] as string, 16) ^ (1 << (bit % 4));
  return hex.slice(0, position) + digit.toString(16) + hex.slice(position + 1);
}

function flipBytes(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = bytes.slice();
  const index = 1 + (bit % (bytes.length - 1));
  flipped[index] = (flipped[index] as number) ^ (1 << (bit % 8));
  return flipped;
}

const seed = fc.string({ minLength: 1, maxLength: 12 });
const password = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 });

for (const engine of testEngines) {
  const runs = { numRuns: engine.name === 'openssl' ? 40 : 6 };

  test(`${engine.name}: client and server agree on K and signature for any password`, () => {
    fc.assert(
      fc.property(seed, password, (from, text) => {
        const { claim, clientSide, key } = exchange(engine, text, createSeededRandom(from));
        assert.deepEqual(finishClient(clientSide), key);
        assert.equal(key.length, 16);
        assert.equal(verifyClaim(engine, key, claim, signClaim(engine, key, claim)), true);
      }),
      runs,
    );
  });

  test(`${engine.name}: K differs if one bit of any value changes on either side`, () => {
    const changed: Record<string, (side: ClientFinishInput, bit: number) => ClientFinishInput> = {
      aHex: (side, bit) => ({ ...side, aHex: flipHex(side.aHex, bit) }),
      srpAHex: (side, bit) => ({ ...side, srpAHex: flipHex(side.srpAHex, bit) }),
      srpBHex: (side, bit) => ({ ...side, srpBHex: flipHex(side.srpBHex, bit) }),
      saltHex: (side, bit) => ({ ...side, saltHex: flipHex(side.saltHex, bit) }),
      passwordHash: (side, bit) => ({ ...side, passwordHash: flipBytes(side.passwordHash, bit) }),
    };
    fc.assert(
      fc.property(seed, fc.nat({ max: 4000 }), (from, bit) => {
        const { clientSide, serverSide, key } = exchange(engine, 'Correct-Horse1!', createSeededRandom(from));
        for (const change of Object.values(changed)) assert.notDeepEqual(finishClient(change(clientSide, bit)), key);
        const verifier = flipBytes(serverSide.verifier, bit);
        assert.notDeepEqual(answerSrpAWithPrivateValue({ ...serverSide, verifier }).key, key);
        assert.notDeepEqual(
          answerSrpAWithPrivateValue({ ...serverSide, bHex: flipHex(serverSide.bHex, bit) }).key,
          key,
        );
      }),
      { numRuns: engine.name === 'openssl' ? 12 : 2 },
    );
  });
}

const engine = testEngines[1] as SrpEngine;

test('a changed claim or signature does not verify', () => {
  const { claim, key } = exchange(engine, 'secret', createSeededRandom('claim'));
  const signature = signClaim(engine, key, claim);
  const others: PasswordClaim[] = [
    { ...claim, timestamp: 'Tue May 7 00:09:41 UTC 2025' },
    { ...claim, identity: { ...identity, userIdForSrp: 'alicf' } },
    { ...claim, identity: { ...identity, poolName: 'TestPool2' } },
    { ...claim, secretBlockB64: toBase64(flipBytes(fromBase64(claim.secretBlockB64), 9)) },
  ];
  for (const other of others) assert.equal(verifyClaim(engine, key, other, signature), false);
  for (let bit = 0; bit < 256; bit++) {
    assert.equal(verifyClaim(engine, key, claim, toBase64(flipBytes(fromBase64(signature), bit))), false);
  }
});

test('only the exact password matches: not a truncated, extended or case-changed one', () => {
  const random = createSeededRandom('passwords');
  const long = 'x'.repeat(72);
  const pairs = [
    ['Correct-Horse1!', 'Correct-Horse1'],
    ['Correct-Horse1!', 'Correct-Horse1! '],
    ['Correct-Horse1!', 'correct-horse1!'],
    [`${long}tail`, long],
    ['nul\0tail', 'nul'],
    ['\u00e9', 'e\u0301'],
    ['😀', '😁'],
  ] as const;
  for (const [right, wrong] of pairs) {
    const hash = hashPassword(engine, identity, right);
    const stored = makeVerifier({ engine, passwordHash: hash, random });
    assert.equal(matchesVerifier({ engine, ...stored, passwordHash: hash }), true);
    assert.equal(matchesVerifier({ engine, ...stored, passwordHash: hashPassword(engine, identity, wrong) }), false);
  }
});

test('the exchange works in every group', () => {
  for (const group of Object.values(RFC5054_GROUPS)) {
    const random = createSeededRandom(group.name);
    const hash = hashPassword(engine, identity, 'secret');
    const stored = makeVerifier({ engine, group, passwordHash: hash, random });
    const client = startClient({ engine, group, random });
    const { srpBHex, key } = answerSrpA({ engine, group, ...client, ...stored, random });
    assert.deepEqual(finishClient({ engine, group, ...client, srpBHex, ...stored, passwordHash: hash }), key);
  }
});
