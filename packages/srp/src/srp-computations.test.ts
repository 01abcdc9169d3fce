import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSslEngine as engine } from './openssl.ts';
import { hashPassword } from './password-hash.ts';
import { drawPrivateValue } from './random.ts';
import { createSyncComputations } from './srp-computations.ts';
import { createSeededRandom } from './testing/seeded-random.ts';

test('logs in with plain data alone: verifier, both halves of the exchange and the claim', () => {
  const { answerSrpA, matchesVerifier, passwordClaim, startClient, verifierFor } = createSyncComputations(engine);
  const random = createSeededRandom('computations');
  const [aHex, bHex] = [drawPrivateValue(random), drawPrivateValue(random)];
  const identity = { poolName: 'TestPool1', userIdForSrp: 'alice' };
  const passwordHash = hashPassword(engine, identity, 'Correct-Horse1!');
  const verifier = verifierFor({ saltHex: '0a1b', passwordHash });
  assert.ok(matchesVerifier({ saltHex: '0a1b', passwordHash, verifier }));
  const started = startClient({ aHex });
  const { srpBHex } = answerSrpA({ srpAHex: started.srpAHex, verifier, bHex });
  const claim = { identity, secretBlockB64: 'AAAA', timestamp: 'Tue May 7 00:09:40 UTC 2025' };
  assert.match(passwordClaim({ ...started, srpBHex, saltHex: '0a1b', passwordHash, ...claim }), /^[\w+/]{43}=$/);
});
