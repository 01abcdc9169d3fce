import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { logIn } from '../support/routes/owner-login.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';

const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));
const ADA = 'ada@example.com';
/** Longer than a replica needs to see a change of the keys. */
const SEEN_MS = 4_000;
/** Longer than the lifetime of any token that a retired key signed. */
const RETIRED_MS = (24 * 60 + 2) * 60_000;

const run = promisify(execFile);

function keyIdOf(token: string): string {
  const [header = ''] = token.split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
}

async function publishedBy({ url, userPoolId }: TestService): Promise<readonly string[]> {
  const answer = await fetch(`${url}/${userPoolId}/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { keys: readonly { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

describe('rotation of signing keys while two replicas serve', () => {
  let replicas: Replicas;
  let both: readonly [TestService, TestService];
  before(async () => {
    // The command uses the machine's clock.
    replicas = await openReplicas((options) => startTestService(options, new TestClock(Date.now())));
    both = [replicas.one, replicas.other];
    await addUser(replicas.one, ADA);
  });
  after(() => replicas?.close());

  const rotate = async (): Promise<void> => {
    const { PATH } = process.env;
    const env = { PATH, DATABASE_URL: replicas.databaseUrl, POOLGATE_DATA_DIR: replicas.one.dataDir };
    const { stdout } = await run(process.execPath, [MAIN, 'keys', 'rotate'], { env });
    assert.match(stdout, /\tsigns$/m);
  };

  it('neither replica refuses a token before, during or after it; new tokens use the new keys, which are published first', async () => {
    const [one, other] = both;
    const tokens = [await logIn(one, ADA), await logIn(other, ADA)];
    const oldKey = keyIdOf(tokens[0]?.access ?? '');
    const accepted = async (): Promise<void> => {
      for (const { access } of tokens) {
        for (const service of both)
          assert.equal((await service.get('/user/profile', createBearerHeader(access))).status, 200);
      }
    };
    let isRotated = false;
    const meanwhile = (async () => {
      // A user has a limited number of concurrent logins.
      for (let round = 0; !isRotated; round += 1) {
        if (round < 5) for (const service of both) tokens.push(await logIn(service, ADA));
        await accepted();
      }
    })();
    await Promise.all([rotate().finally(() => (isRotated = true)), meanwhile]);
    // One replica has seen the new keys, the other has not, because the clock of its cache is stopped.
    one.clock.advance(Date.now() - one.clock.now() + SEEN_MS);
    const fresh = await logIn(one, ADA);
    tokens.push(fresh);
    assert.notEqual(keyIdOf(fresh.access), oldKey);
    await accepted();
    for (const service of both) {
      const published = await publishedBy(service);
      for (const { access, id } of tokens) {
        assert.ok(published.includes(keyIdOf(access)) && published.includes(keyIdOf(id)));
      }
      const { refresh } = tokens[0] ?? fresh;
      assert.equal((await service.post('/token/refresh', { refresh_token: refresh })).status, 200);
    }
    assert.notEqual(keyIdOf((await logIn(other, ADA)).access), oldKey);
    one.clock.advance(RETIRED_MS);
    for (const service of both) {
      const published = await publishedBy(service);
      assert.ok(!published.includes(oldKey), 'a day later the old key is withdrawn');
      assert.ok(published.includes(keyIdOf((await logIn(service, ADA)).access)));
    }
  });
});
