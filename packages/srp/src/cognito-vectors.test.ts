import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, toHex } from './bytes.ts';
import { parseDeviceConfig } from './device.ts';
import { hexFromInteger, integerFromHex, padInteger } from './integer.ts';
import { claimMessage, signClaim, verifyClaim } from './password-claim.ts';
import { computeSecretExponent, hashPassword, parsePasswordHash } from './password-hash.ts';
import { deriveSessionKey } from './session-key.ts';
import { finishClient, signPasswordClaim, startClientWithPrivateValue } from './srp-client.ts';
import {
  computeClientSecret,
  computeMultiplier,
  computeScramblingParameter,
  computeServerPublic,
  computeServerSecret,
} from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import { answerSrpAWithPrivateValue } from './srp-server.ts';
import { testEngines } from './testing/engines.ts';
import cognito from './vectors/cognito.json' with { type: 'json' };
import { computeVerifier, matchesVerifier } from './verifier.ts';

const group = COGNITO_GROUP;

function integer(hex: string): bigint {
  return integerFromHex(hex, 'vector', 800);
}

test('the group is Cognito’s', () => {
  assert.equal(hexFromInteger(group.modulus), cognito.modulusHex);
  assert.equal(group.generator, BigInt(cognito.generator));
  assert.ok(cognito.vectors.length >= 5);
});

for (const engine of testEngines) {
  for (const vector of cognito.vectors) {
    const { identity, saltHex, srpAHex, srpBHex, bHex, secretBlockB64, timestamp } = vector;
    const claim = { identity, secretBlockB64, timestamp };

    test(`${engine.name}, ${vector.name}: every intermediate value`, () => {
      const k = computeMultiplier(engine, group);
      assert.equal(hexFromInteger(k), cognito.multiplierHex);
      const hash = hashPassword(engine, identity, vector.password);
      assert.equal(toHex(hash), vector.passwordHashHex);
      const x = computeSecretExponent(engine, saltHex, hash);
      assert.equal(hexFromInteger(x), vector.xHex);
      const [A, B, v] = [integer(srpAHex), integer(srpBHex), integer(vector.vHex)];
      assert.equal(startClientWithPrivateValue({ engine, aHex: vector.aHex }).srpAHex, srpAHex);
      assert.equal(toHex(computeVerifier({ engine, saltHex, passwordHash: hash })), vector.vHex);
      assert.equal(computeServerPublic(engine, group, { b: integer(bHex), k, v }), B);
      const u = computeScramblingParameter(engine, A, B);
      assert.equal(hexFromInteger(u), vector.uHex);
      const S = computeClientSecret(engine, group, { a: integer(vector.aHex), B, k, u, x });
      assert.equal(hexFromInteger(S), vector.sHex);
      assert.equal(computeServerSecret(engine, group, { A, b: integer(bHex), u, v }), S);
      assert.equal(toHex(engine.hmacSha256(padInteger(u), padInteger(S))), vector.pseudoRandomKeyHex);
      assert.equal(toHex(deriveSessionKey(engine, S, u)), vector.keyHex);
      assert.equal(toHex(claimMessage(claim)), vector.messageHex);
      const padded: [bigint, string][] = [
        [integer(saltHex), vector.paddedSaltHex],
        [v, vector.paddedVHex],
        [A, vector.paddedAHex],
        [B, vector.paddedBHex],
        [u, vector.paddedUHex],
        [S, vector.paddedSHex],
      ];
      for (const [value, hex] of padded) assert.equal(toHex(padInteger(value)), hex);
    });

    test(`${engine.name}, ${vector.name}: client and server entry points`, () => {
      const hash = parsePasswordHash(vector.passwordHashHex.toUpperCase());
      const finish = { engine, aHex: vector.aHex, srpAHex, srpBHex, saltHex, passwordHash: hash };
      const verifier = fromHex(vector.paddedVHex);
      const clientKey = finishClient(finish);
      const { key: serverKey, ...answer } = answerSrpAWithPrivateValue({ engine, srpAHex, bHex, verifier });
      assert.deepEqual(answer, { srpBHex });
      assert.equal(toHex(clientKey), vector.keyHex);
      assert.equal(toHex(serverKey), vector.keyHex);
      assert.equal(signClaim(engine, clientKey, claim), vector.signatureB64);
      assert.equal(signPasswordClaim({ ...finish, ...claim }), vector.signatureB64);
      assert.equal(verifyClaim(engine, serverKey, claim, vector.signatureB64), true);
      assert.equal(matchesVerifier({ engine, passwordHash: hash, saltHex, verifier }), true);
    });
  }
}

test('the device configurations of the vectors read as their salt and verifier', () => {
  const devices = cognito.vectors.flatMap(({ deviceConfig, ...vector }) =>
    deviceConfig ? [{ deviceConfig, vector }] : [],
  );
  assert.equal(devices.length, 2);
  for (const { deviceConfig, vector } of devices) {
    const { saltHex, verifier } = parseDeviceConfig(deviceConfig);
    assert.deepEqual([saltHex, toHex(verifier)], [vector.saltHex, vector.vHex]);
  }
});
