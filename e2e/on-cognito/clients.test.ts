import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BEHIND_PROXY, createClientAddress } from '../support/requests/exchange.ts';
import { addUser, assertProblem, startServiceOnCognito } from '../support/services/test-service.ts';

const ADA = 'ada@example.test';

it('a pool that trusts the service in front of it tells its clients apart', async (t) => {
  const service = await startServiceOnCognito(BEHIND_PROXY, undefined, async (_, ownUrl) => ownUrl);
  t.after(() => service.close());
  await addUser(service, ADA);
  const ask = (client: Readonly<Record<string, string>>) =>
    service.post('/login/passkey/challenge/EMAIL_OTP', { username: ADA }, client);
  const [one, other] = [createClientAddress(), createClientAddress()];
  for (const client of [one, one, other]) assert.equal((await ask(client)).status, 200);
  assertProblem(await ask(one), 429, 'too_many_requests');
  assert.equal((await ask(other)).status, 200);
  assert.equal(service.outbox?.list(ADA).length, 4);
});
