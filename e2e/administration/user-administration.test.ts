import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { runCurl } from '../support/requests/curl.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

/** The part of a response that is the same for every way of sending. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** What the trial of a route needs: its service, a way to send as an administrator, and an unused name. */
interface Trial {
  readonly service: TestService;
  readonly send: Send;
  readonly free: string;
}

/** The credentials of a privileged backend. */
const WAYS: Readonly<Record<string, (service: TestService) => Send>> = {
  'curl --aws-sigv4': (service) => (method, path, body) => runCurl(service, method, path, body),
  'a bearer key': (service) => (method, path, body) =>
    service.ask(method, path, { headers: service.asAdmin, ...(body === undefined ? {} : { body }) }),
};

const NOBODY = 'nobody@example.com';

type User = Readonly<Record<string, unknown>> & { readonly attributes: Readonly<Record<string, string>> };

async function shown({ send }: Trial, name: string): Promise<User> {
  const answer = await send('GET', `/admin/users/${name}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.user as User;
}

function is(answer: Answer, status: number, code?: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
}

const logIn = ({ service, free }: Trial, password = PASSWORD) => service.post('/login', { username: free, password });
const profile = ({ service }: Trial, access: string) => service.get('/user/profile', createBearerHeader(access));

/** The user's tokens are no longer valid. */
async function tokensAreDead(trial: Trial, tokens: ReturnType<typeof requireTokens>): Promise<void> {
  is(await profile(trial, tokens.access), 401, 'unauthenticated');
  const refreshed = await trial.service.post('/token/refresh', { refresh_token: tokens.refresh });
  is(refreshed, 401, 'invalid_grant');
}

/** The trial of each route, by its address. */
const TRIALS: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  'POST /admin/users': async (trial) => {
    const { send, free: email } = trial;
    const created = await send('POST', '/admin/users', {
      email,
      temp_password: PASSWORD,
      attributes: { name: 'Ada' },
    });
    is(created, 201);
    const user = created.body.user as User;
    assert.deepEqual(
      [user.email, user.status, user.enabled, user.attributes.name, user.password_reset_required],
      [email, 'FORCE_CHANGE_PASSWORD', true, 'Ada', false],
    );
    assert.equal((await logIn(trial)).body.challenge_name, 'NEW_PASSWORD_REQUIRED');
    is(await send('POST', '/admin/users', { email }), 409, 'user_exists');
    is(await send('POST', '/admin/users', { temp_password: PASSWORD }), 422, 'validation_failed');
    is(await send('POST', '/admin/users', { email: `x${email}`, attributes: 'name' }), 422, 'validation_failed');
    const generated = await send('POST', '/admin/users', { email: `g-${email}` });
    is(generated, 201);
    assert.equal(typeof generated.body.temp_password, 'string');
  },
  'PATCH /admin/users/{username}': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const before = await shown(trial, free);
    is(await send('PATCH', `/admin/users/${free}`, { attributes: { name: 'Grace', locale: 'en' } }), 200);
    const changed = await shown(trial, free);
    assert.deepEqual(changed.attributes, { ...before.attributes, name: 'Grace', locale: 'en' });
    for (const body of [
      {},
      { attributes: 'x' },
      { attributes: { sub: 'x' } },
      { attributes: { 'custom:none': 'x' } },
    ]) {
      is(await send('PATCH', `/admin/users/${free}`, body), 422, 'validation_failed');
    }
    is(await send('PATCH', `/admin/users/${NOBODY}`, { attributes: { name: 'x' } }), 404, 'user_not_found');
    assert.deepEqual((await shown(trial, free)).attributes, changed.attributes);
  },
  'POST /admin/users/{username}/disable': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const tokens = requireTokens(await logIn(trial));
    is(await profile(trial, tokens.access), 200);
    is(await send('POST', `/admin/users/${free}/disable`), 200);
    assert.equal((await shown(trial, free)).enabled, false);
    await tokensAreDead(trial, tokens);
    is(await logIn(trial), 401, 'invalid_credentials');
    is(await send('POST', `/admin/users/${free}/disable`, {}), 200);
    is(await send('POST', `/admin/users/${NOBODY}/disable`), 404, 'user_not_found');
  },
  'POST /admin/users/{username}/enable': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const tokens = requireTokens(await logIn(trial));
    is(await send('POST', `/admin/users/${free}/disable`), 200);
    is(await send('POST', `/admin/users/${free}/enable`), 200);
    assert.equal((await shown(trial, free)).enabled, true);
    await tokensAreDead(trial, tokens);
    service.clock.advance(1_000);
    is(await profile(trial, requireTokens(await logIn(trial)).access), 200);
    is(await send('POST', `/admin/users/${NOBODY}/enable`), 404, 'user_not_found');
  },
  'POST /admin/users/{username}/reset-password': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const tokens = requireTokens(await logIn(trial));
    is(await send('POST', `/admin/users/${free}/reset-password`), 200);
    const user = await shown(trial, free);
    assert.deepEqual([user.status, user.password_reset_required], ['RESET_REQUIRED', true]);
    await tokensAreDead(trial, tokens);
    is(await logIn(trial), 403, 'password_reset_required');
    is(await logIn(trial, 'Wrong-Horse1!'), 401, 'invalid_credentials');
    const code = service.outbox?.list(free).find((message) => message.code !== undefined)?.code;
    const password = 'A-New-Horse2!';
    is(await service.post('/password/reset', { username: free, code, password }), 200);
    const after = await shown(trial, free);
    assert.deepEqual([after.status, after.password_reset_required], ['CONFIRMED', false]);
    requireTokens(await logIn(trial, password));
    is(await send('POST', `/admin/users/${NOBODY}/reset-password`), 404, 'user_not_found');
  },
  'POST /admin/users/{username}/groups': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const group_name = `group of ${free}`.replaceAll(' ', '-');
    is(await send('POST', `/admin/users/${free}/groups`, { group_name }), 404, 'group_not_found');
    is(await send('POST', '/admin/groups', { group_name, precedence: 1 }), 201);
    is(await send('POST', `/admin/users/${free}/groups`, { group_name }), 200);
    assert.deepEqual((await shown(trial, free)).groups, [group_name]);
    is(await send('POST', `/admin/users/${NOBODY}/groups`, { group_name }), 404, 'user_not_found');
    for (const body of [{}, { group_name: '' }, { group_name: 5 }, { group_name: 'x'.repeat(129) }]) {
      is(await send('POST', `/admin/users/${free}/groups`, body), 422, 'validation_failed');
    }
  },
  'DELETE /admin/users/{username}/groups/{group_name}': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const group_name = `left-by-${free}`;
    is(await send('POST', '/admin/groups', { group_name }), 201);
    is(await send('POST', `/admin/users/${free}/groups`, { group_name }), 200);
    is(await send('DELETE', `/admin/users/${free}/groups/${group_name}`), 200);
    assert.deepEqual((await shown(trial, free)).groups, []);
    is(await send('DELETE', `/admin/users/${free}/groups/no-such-group`), 404, 'group_not_found');
    is(await send('DELETE', `/admin/users/${NOBODY}/groups/${group_name}`), 404, 'user_not_found');
  },
  'DELETE /admin/users/{username}': async (trial) => {
    const { service, send, free } = trial;
    await addUser(service, free);
    const tokens = requireTokens(await logIn(trial));
    for (const body of [undefined, {}, { confirm: false }, { confirm: 'true' }, { confirm: 1 }, { confirm: null }]) {
      is(await send('DELETE', `/admin/users/${free}`, body), 422, 'validation_failed');
    }
    is(await send('DELETE', `/admin/users/${free}?confirm=yes`), 422, 'validation_failed');
    is(await profile(trial, tokens.access), 200);
    is(await send('DELETE', `/admin/users/${free}`, { confirm: true }), 200);
    is(await send('GET', `/admin/users/${free}`), 404, 'user_not_found');
    is(await send('DELETE', `/admin/users/${free}`, { confirm: true }), 404, 'user_not_found');
    await tokensAreDead(trial, tokens);
    is(await logIn(trial), 401, 'invalid_credentials');
    await addUser(service, free);
    is(await send('DELETE', `/admin/users/${free}?confirm=true`), 200);
  },
};

describe('administration of users', () => {
  let service: TestService;
  let count = 0;
  before(async () => {
    // curl signs with the current time.
    service = await startTestService({}, new TestClock(Date.now()));
  });
  after(() => service.close());

  for (const [address, tried] of Object.entries(TRIALS)) {
    for (const [way, sender] of Object.entries(WAYS)) {
      it(`${address} by ${way}`, async () => {
        count += 1;
        await tried({ service, send: sender(service), free: `required-${count}@example.com` });
      });
    }
  }
});
