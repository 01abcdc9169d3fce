import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listAddresses, ROUTES, type Route } from '@poolgate/contract';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { databaseRows } from '../proofs/database-rows.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { logIn } from '../support/routes/owner-login.ts';
import { createRememberedDevice } from '../support/routes/route-devices.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const VICTIM = 'victim@example.com';

/** The body that every user route requires, from the caller. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /user/profile': { attributes: { name: 'Eve' } },
  'DELETE /user': { confirm: true },
  'POST /user/changepassword': { password: PASSWORD, new_password: 'A-New-Horse2!' },
  'POST /user/attributes/code': { attribute: 'email' },
  'POST /user/attributes/verify': { attribute: 'email', code: '123456' },
};

describe('the account that a user route acts on', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  let victim: string;
  let deviceKey: string;
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    service = await startTestService({ databaseUrl: place?.url ?? '' });
    victim = await addUser(service, VICTIM);
    deviceKey = (await createRememberedDevice(service, VICTIM)).key;
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  /** Every way in which a request can name the victim. */
  const claims = () => ({
    username: VICTIM,
    user_name: VICTIM,
    user_id: victim,
    userId: victim,
    sub: victim,
    email: VICTIM,
    user: { sub: victim, username: VICTIM },
    Username: VICTIM,
    UserPoolId: service.userPoolId,
  });

  const entryPoints = Object.values<Route>(ROUTES)
    .filter(({ guard }) => guard === 'user')
    .flatMap((route) => listAddresses(route).map(({ method, path }) => ({ method, path })));

  const rowsOfVictim = (): unknown =>
    Object.entries(databaseRows(place?.url ?? '')).map(([table, rows]) => [
      table,
      rows.filter((row) => row.includes(victim) || row.includes(VICTIM)),
    ]);

  const ask = ({ method, path }: (typeof entryPoints)[number], headers: Readonly<Record<string, string>>) => {
    const filled = path.replace('{device_key}', deviceKey).replaceAll(/\{\w+\}/g, victim);
    const body = { ...claims(), ...BODIES[`${method} ${path}`] };
    return method === 'GET'
      ? service.ask(method, filled, { headers })
      : service.ask(method, filled, { headers: { ...headers, 'x-user-id': victim, 'x-username': VICTIM }, body });
  };

  it('without a token no user route looks at the user in the body', async () => {
    const before = rowsOfVictim();
    assert.ok(entryPoints.length > 20);
    for (const entryPoint of entryPoints)
      assertProblem(await ask(entryPoint, {}), 401, 'unauthenticated', `${entryPoint.method} ${entryPoint.path}`);
    assert.deepEqual(rowsOfVictim(), before);
  });

  it('with a token every user route acts on its user, whatever the body says', async () => {
    for (const [index, entryPoint] of entryPoints.entries()) {
      const email = `caller-${index}@example.com`;
      await addUser(service, email);
      const { access } = await logIn(service, email);
      const before = rowsOfVictim();
      const answer = await ask(entryPoint, createBearerHeader(access));
      assert.ok(answer.status < 500, `${entryPoint.method} ${entryPoint.path} ${answer.text}`);
      assert.ok(
        !answer.text.includes(victim) && !answer.text.includes(VICTIM),
        `${entryPoint.method} ${entryPoint.path} ${answer.text}`,
      );
      assert.deepEqual(rowsOfVictim(), before, `${entryPoint.method} ${entryPoint.path}`);
    }
  });

  it('the query does not select a user either', async () => {
    const email = 'query@example.com';
    const caller = await addUser(service, email);
    const { access } = await logIn(service, email);
    const answer = await service.get(
      `/user/profile?username=${VICTIM}&user_id=${victim}&sub=${victim}`,
      createBearerHeader(access),
    );
    assert.equal((answer.body.user as Readonly<Record<string, unknown>> | undefined)?.sub ?? caller, caller);
    assert.ok(!answer.text.includes(victim));
  });
});
