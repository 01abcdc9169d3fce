import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from 'poolgate';
import { createBearerHeader, sendRequest } from '../support/requests/exchange.ts';
import {
  createFiveKeyClaim,
  createSignedClaim,
  createVerifierAnswer,
  logInBySrp,
  startSrpLogin,
} from '../support/routes/route-srp.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, requireTokens, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const ANSWER = '/login/auth-challenge';

describe('two services on one PostgreSQL', () => {
  let replicas: Replicas;
  let one: TestService;
  let other: TestService;
  before(async () => {
    replicas = await openReplicas();
    ({ one, other } = replicas);
    await addUser(one, ADA);
  });
  after(() => replicas?.close());

  it('finish logins that the other one began, in every form', async () => {
    const signed = await startSrpLogin(one, ADA);
    requireTokens(await other.post(ANSWER, createVerifierAnswer(signed, createSignedClaim(one, signed))));
    const assisted = await startSrpLogin(one, ADA, { serverMade: true });
    requireTokens(await other.post(ANSWER, createVerifierAnswer(assisted, createFiveKeyClaim(one, assisted))));
  });

  it('accept one of two parallel answers with the same private value of the service', async () => {
    for (let round = 0; round < 5; round += 1) {
      const challenge = await startSrpLogin(one, ADA, { serverMade: true });
      const body = createVerifierAnswer(challenge, createFiveKeyClaim(one, challenge));
      const answers = await Promise.all([one, other, one, other].map((service) => service.post(ANSWER, body)));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    }
  });

  it('count wrong passwords together', async () => {
    const email = 'burst@example.com';
    await addUser(one, email);
    const attempts = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? one : other).post('/login', { username: email, password: 'Wrong-Horse1!' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 5);
    for (const service of [one, other]) assertProblem(await logInBySrp(service, email), 429, 'too_many_requests');
  });

  it('return the same salt and name for an unknown user, also after a restart', async () => {
    const third = await one.replica();
    const seen = [];
    for (const service of [one, other, third])
      seen.push((await startSrpLogin(service, 'nobody@example.com')).parameters);
    await third.close();
    for (const name of ['SALT', 'USER_ID_FOR_SRP'])
      assert.equal(new Set(seen.map((parameters) => parameters[name])).size, 1, name);
  });

  it("accept each other's tokens and publish the same keys", async () => {
    const { access } = requireTokens(await logInBySrp(one, ADA));
    assert.equal((await other.get('/user/profile', createBearerHeader(access))).status, 200);
    const path = `/${one.userPoolId}/.well-known/jwks.json`;
    assert.deepEqual((await one.get(path)).body, (await other.get(path)).body);
  });

  it('serve the same pool with DATABASE_URL=postgres://… in the environment', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'poolgate-e2e-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'secrets.json'), await readFile(join(one.dataDir, 'secrets.json')), { mode: 0o600 });
    const environment = { DATABASE_URL: replicas.databaseUrl, PORT: '0', POOLGATE_DATA_DIR: folder };
    const service = await start({ environment });
    t.after(() => service.close());
    assert.deepEqual([service.userPoolId, service.clientId], [one.userPoolId, one.clientId]);
    const body = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };
    requireTokens(await sendRequest(service.url, 'POST', '/login', { body }));
  });
});
