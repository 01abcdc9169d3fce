import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listAddresses, ROUTES, type Route } from '@poolgate/contract';
import { EVENT_TYPES } from '@poolgate/provider';
import { PERSISTENT_LOCATIONS, readRawContent, type StoreLocation } from '@poolgate/store/testing';
import { databaseRows } from '../proofs/database-rows.ts';
import { createAdminFixtures, createAdminRequests } from '../support/requests/admin-requests.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { SecretsWatch } from '../support/requests/secrets-watch.ts';
import { createSignedHeaders } from '../support/requests/signed-headers.ts';
import { findLatestCode, findNotMeToken, logIn } from '../support/routes/owner-login.ts';
import {
  createDeviceClaim,
  createHelperClaim,
  createRegistrationBody,
  createRememberedDevice,
  logInOnNewDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { activateAuthenticator, computeTotpCode, verifyAuthenticator } from '../support/routes/route-mfa.ts';
import {
  createFiveKeyClaim,
  createSignedClaim,
  createUnsignedClaim,
  createVerifierAnswer,
  startSrpLogin,
} from '../support/routes/route-srp.ts';
import { PASSWORD, requireTokens, startTestService, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
/** Typed into wrong fields, and sent in every field that a route accepts. */
const TYPED = 'Typed-Canary-7f3a9c21';
const WRONG = 'Wrong-Canary-5d0be6f4!';
const NEXT = 'Next-Canary-91c7aa02!';
const LAST = 'Last-Canary-0b6e44d8!';

/** The target of webhooks. It stores every body and resolves with the last one. */
async function startReceiver(): Promise<{
  server: Server;
  url: string;
  bodies: string[];
  until(type: string): Promise<void>;
}> {
  const bodies: string[] = [];
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      bodies.push(body);
      response.end();
      waiting.get((JSON.parse(body) as { readonly type: string }).type)?.();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const until = (type: string): Promise<void> =>
    bodies.some((body) => body.includes(`"${type}"`))
      ? Promise.resolve()
      : new Promise((resolve) => waiting.set(type, resolve));
  return { server, url: `http://127.0.0.1:${port}/events`, bodies, until };
}

/** A user's complete life, with all the secrets in it. */
async function wholeLife(service: TestService, watch: SecretsWatch): Promise<void> {
  const good = { status: 200 };
  const ok = (answer: { status: number; text: string }): void => assert.equal(answer.status, good.status, answer.text);

  const newUser = { email: ADA, password: PASSWORD, password_confirmation: PASSWORD, name: 'Ada' };
  const registered = await service.post('/register', newUser);
  ok(registered);
  await service.post('/register/verify', { email: ADA, code: '00000000' });
  const { session } = registered.body;
  ok(await service.post('/register/verify', { email: ADA, code: findLatestCode(service, ADA), session }));
  await service.post('/login', { username: ADA, password: WRONG });
  await service.post('/login', { username: watch.plant('typed', TYPED), password: WRONG });
  await service.post('/login/srp', { username: TYPED });

  const claims = [createSignedClaim, createFiveKeyClaim, createUnsignedClaim] as const;
  for (const [index, claim] of claims.entries()) {
    const challenge = await startSrpLogin(service, ADA, { serverMade: index > 0 });
    const body = createVerifierAnswer(challenge, claim(service, challenge), { challenge_params: challenge.parameters });
    requireTokens(await service.post('/login/auth-challenge', body));
    await service.post('/login/auth-challenge', body);
  }
  const sent = await startSrpLogin(service, ADA);
  watch.plant('a', sent.start?.aHex ?? '');
  requireTokens(
    await service.post('/login/auth-challenge', {
      ...createVerifierAnswer(sent, createFiveKeyClaim(service, sent)),
      session: sent.start?.aHex,
    }),
  );

  const device = await createRememberedDevice(service, ADA);
  watch.plant('device secret', device.secret.devicePassword);
  const second = await logInOnNewDevice(service, ADA);
  await service.post(
    '/device',
    createRegistrationBody(second, { device_name: 'Phone' }),
    createBearerHeader(second.access),
  );
  for (const claim of [createDeviceClaim(service, await startDeviceSrp(service, device)), {}])
    await service.post('/login/auth-challenge', {
      challenge_name: 'DEVICE_PASSWORD_VERIFIER',
      session: 'x',
      username: ADA,
      challenge_value: claim,
    });
  const helped = await startDeviceSrp(service, device);
  requireTokens(
    await proveDevice(service, helped, createHelperClaim(helped, new Date(service.clock.now()).toISOString())),
  );

  const owner = await logIn(service, ADA);
  const headers = createBearerHeader(owner.access);
  const secretCode = await activateAuthenticator(service, owner.access);
  await verifyAuthenticator(service, owner.access, '000000');
  ok(await verifyAuthenticator(service, owner.access, watch.plant('TOTP code', computeTotpCode(service, secretCode))));
  ok(await service.post('/user/mfa/recovery-codes', {}, headers));
  service.clock.advance(30_000);
  const asked = await service.post('/login', { username: ADA, password: PASSWORD });
  const answer = { challenge_name: 'SOFTWARE_TOKEN_MFA', session: asked.body.session, username: ADA };
  await service.post('/challenge', { ...answer, challenge_value: '000000' });
  const code = watch.plant('TOTP code', computeTotpCode(service, secretCode));
  requireTokens(await service.post('/challenge', { ...answer, challenge_value: code }));
  ok(await service.post('/user/mfa/deactivate', {}, headers));

  ok(await service.ask('PATCH', '/user/profile', { headers, body: { attributes: { email: `new-${ADA}` } } }));
  const attribute = { attribute: 'email', code: findLatestCode(service, `new-${ADA}`) };
  await service.post('/user/attributes/verify', { ...attribute, code: '111111' }, headers);
  ok(await service.post('/user/attributes/verify', attribute, headers));
  const email = `new-${ADA}`;
  ok(await service.post('/user/changepassword', { password: PASSWORD, new_password: NEXT }, headers));
  await service.post('/user/changepassword', { password: WRONG, new_password: LAST }, headers);
  ok(await service.post('/password/forgot', { email }));
  ok(await service.post('/password/reset', { email, code: findLatestCode(service, email), password: LAST }));
  const again = await logIn(service, email, LAST);
  ok(await service.post('/token/refresh', { refresh_token: again.refresh }));
  service.clock.advance(11_000);
  await service.post('/token/refresh', { refresh_token: again.refresh });
  const link = watch.plant('link', findNotMeToken(service, email));
  ok(await service.post('/account/not-me', { token: link }));
  await service.post('/account/not-me', { token: link });
}

/** Every address of every route, with a canary in every field, with and without permission. */
async function everyRoute(service: TestService, access: string): Promise<void> {
  const addresses = Object.values<Route>(ROUTES).filter(({ path }) => !REPLACES_STORE.test(path));
  await askRoutes(service, addresses, { access, id: TYPED });
}

/** What the test looks for in the store would go with it. */
const REPLACES_STORE = /^\/admin\/(reset|snapshots)/;

/** The routes that {@link everyRoute} leaves out, first as strangers and then as administrators. */
async function everyReplacement(service: TestService, access: string): Promise<void> {
  const addresses = Object.values<Route>(ROUTES).filter(({ path }) => REPLACES_STORE.test(path));
  assert.equal(addresses.length, 5);
  // Names of snapshots are not secret.
  await askRoutes(service, addresses, { access, id: 'canary' });
  const statuses = [];
  for (const [method, path] of [
    ['PUT', '/admin/snapshots/canary'],
    ['GET', '/admin/snapshots'],
    ['POST', '/admin/snapshots/canary/restore'],
    ['DELETE', '/admin/snapshots/canary'],
    ['POST', '/admin/reset'],
  ] as const)
    statuses.push((await service.ask(method, path, { headers: service.asAdmin })).status);
  assert.deepEqual(statuses, Array(5).fill(200));
}

/** @param filled the bearer token, and the value of every parameter in a path */
async function askRoutes(
  service: TestService,
  routes: readonly Route[],
  { access, id }: { readonly access: string; readonly id: string },
): Promise<void> {
  const rights = [{ authorization: `Bearer ${TYPED}` }, createBearerHeader(access), service.asAdmin];
  for (const route of routes) {
    for (const { method, path } of listAddresses(route)) {
      const names = Object.keys(route.body?.properties ?? {});
      const body = Object.fromEntries(names.map((name) => [name, TYPED]));
      const query = new URLSearchParams(Object.keys(route.query?.properties ?? { x: 1 }).map((name) => [name, TYPED]));
      const filled = path.replaceAll(/\{\w+\}/g, id);
      for (const right of rights) {
        const headers = { ...right, cookie: `session=${TYPED}`, 'idempotency-key': TYPED };
        for (const target of [filled, `${filled}?${query}`, `/api/cognito${filled}?password=${TYPED}`])
          await service.ask(method, target, { headers, ...(method === 'GET' ? {} : { body }) });
      }
    }
  }
}

/** Every admin route with a valid request, signed and with a bearer key. */
async function everyAdminRoute(service: TestService, watch: SecretsWatch): Promise<void> {
  watch.plant('admin secret', service.adminKey?.secret ?? '');
  for (const request of createAdminRequests(await createAdminFixtures(service))) {
    const signed = await createSignedHeaders(service, { ...request, headers: { 'content-type': 'application/json' } });
    watch.plant('signature', /Signature=(\w+)/.exec(signed.authorization ?? '')?.[1] ?? '');
    await service.ask(request.method, request.path, {
      headers: signed,
      ...(request.body === '' ? {} : { body: request.body }),
    });
  }
}

for (const [kind, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`secrets that clients send, on ${kind}`, () => {
    const watch = new SecretsWatch();
    const log: string[] = [];
    let place: StoreLocation;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    let service: TestService;
    before(async () => {
      place = await makePlace();
      receiver = await startReceiver();
      service = await startTestService({
        databaseUrl: place.url,
        privateWebhooks: true,
        logLevel: 'trace',
        logStream: { write: (line) => void log.push(line) },
      });
    });
    after(async () => {
      await service.close();
      receiver.server.close();
      await place.remove();
    });

    it('do not appear in logs, events, webhooks, errors or the database after a run through every route', async () => {
      const watched = watch.over(service);
      const hook = await watched.post('/admin/webhooks', { url: receiver.url, events: [] }, watched.asAdmin);
      assert.equal(hook.status, 201, hook.text);
      await wholeLife(watched, watch);
      await everyAdminRoute(watched, watch);
      const { accessToken, username } = await createAdminFixtures(watched);
      await everyRoute(watched, accessToken);
      await watched.post('/admin/groups', { group_name: 'the-last' }, watched.asAdmin);
      const last = { headers: watched.asAdmin, body: {} };
      await watched.ask('DELETE', '/admin/groups/the-last', last);
      await receiver.until('group.deleted');

      const { secret, admin_key } = JSON.parse(await readFile(join(service.dataDir, 'secrets.json'), 'utf8'));
      watch.plant('POOLGATE_SECRET', secret);
      watch.plant('admin secret', admin_key.secret);
      for (const message of service.outbox?.list(undefined) ?? []) {
        if (message.code !== undefined) watch.plant('code of a message', message.code);
      }
      assert.ok(watch.secrets.size >= 20, [...watch.secrets.keys()].join());
      assert.ok(username.length > 0 && log.length > 100 && watch.refusals.length > 200);

      const events: string[] = [];
      for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
        const page = await service.get(`/admin/audit?limit=60${cursor && `&cursor=${cursor}`}`, service.asAdmin);
        assert.equal(page.status, 200, page.text);
        events.push(JSON.stringify(page.body.events));
        cursor = page.body.next_cursor;
      }
      const types = new Set(
        Object.keys(EVENT_TYPES).filter((type) => events.some((page) => page.includes(`"${type}"`))),
      );
      assert.ok(types.size >= 15, [...types].join());
      assert.ok(receiver.bodies.length >= 15);

      const rows = place.url.startsWith('sqlite:') ? JSON.stringify(databaseRows(place.url)) : '';
      const texts: Readonly<Record<string, string>> = {
        log: log.join(''),
        events: events.join(''),
        webhooks: receiver.bodies.join('\n'),
        refusals: watch.refusals.join('\n'),
        'rows of the database': rows,
        database: await readRawContent(place.url),
      };
      for (const [where, text] of Object.entries(texts)) assert.deepEqual(watch.foundIn(text), [], where);

      log.length = 0;
      await everyReplacement(watched, accessToken);
      assert.match(log.join(''), /The store was reset/);
      assert.deepEqual(watch.foundIn(log.join('')), [], 'log of what replaces the store');
      assert.deepEqual(watch.foundIn(watch.refusals.join('\n')), [], 'refusals of what replaces the store');
    });

    it('are found by the search if they are there', async () => {
      const seeing = new SecretsWatch();
      seeing.plant('password', PASSWORD);
      seeing.plant('code', '123456');
      assert.deepEqual(seeing.foundIn(`{"a":"${PASSWORD}"}`), [`password ${PASSWORD}`]);
      assert.deepEqual(seeing.foundIn(`x=${Buffer.from(PASSWORD).toString('base64')}`), [`password ${PASSWORD}`]);
      assert.deepEqual(seeing.foundIn('{"code":"123456"}'), ['code 123456']);
      assert.deepEqual(seeing.foundIn('{"at":1234567890}'), []);
      assert.ok(log.join('').includes('POST'), 'the log was kept at all');
    });
  });
}
