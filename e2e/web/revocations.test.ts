import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClientAddress, type Exchange } from '../support/requests/exchange.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, PASSWORD, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const NEW_PASSWORD = 'A-New-Horse2!';

interface Scene {
  readonly one: TestService;
  readonly email: string;
  /** The session that acts. */
  readonly own: CookieBrowser;
}

interface Revocation {
  act(scene: Scene): Promise<Exchange>;
  /** Whether the session that acts stays. */
  readonly keepsOwn?: true;
}

const admin = ({ one, email }: Scene, path: string, method = 'POST', body: unknown = {}) =>
  one.ask(method, `/admin/users/${email}${path}`, { headers: one.asAdmin, body });

/** Everything that ends sessions of a user who may have lost a cookie. */
const REVOCATIONS: Readonly<Record<string, Revocation>> = {
  'a logout everywhere': { act: ({ own }) => own.post('/logout/forced') },
  'the deletion of the account': { act: ({ own }) => own.ask('DELETE', '/user', { confirm: true }) },
  'a change of the password': {
    keepsOwn: true,
    act: ({ own }) => own.post('/user/changepassword', { password: PASSWORD, new_password: NEW_PASSWORD }),
  },
  'an administrator who disables the user': { act: (scene) => admin(scene, '/disable') },
  'an administrator who signs the user out': { act: (scene) => admin(scene, '/sign-out') },
  'an administrator who resets the password': { act: (scene) => admin(scene, '/reset-password') },
  'an administrator who deletes the user': { act: (scene) => admin(scene, '', 'DELETE', { confirm: true }) },
};

describe('browser sessions at two replicas', () => {
  let replicas: Replicas;
  let users = 0;
  before(async () => {
    replicas = await openReplicas();
  });
  after(() => replicas?.close());

  async function scene(): Promise<Scene & { readonly stolen: CookieBrowser; readonly elsewhere: CookieBrowser }> {
    const { one } = replicas;
    users += 1;
    const email = `stolen-${users}@example.com`;
    await addUser(one, email);
    const [own, elsewhere] = [new CookieBrowser(one), new CookieBrowser(one)];
    await own.logIn(email);
    await elsewhere.logIn(email);
    return { one, email, own, elsewhere, stolen: own.at(one) };
  }

  async function assertEnded(browser: CookieBrowser, about: string): Promise<void> {
    for (const service of [replicas.other, replicas.one]) {
      const at = browser.at(service);
      assertProblem(await at.get('/user/profile'), 401, 'unauthenticated', about);
      assertProblem(await at.post('/user/mfa/deactivate'), 401, 'unauthenticated', about);
      await browser.at(service).assertSignedOut(about);
    }
  }

  it('a stolen cookie is invalid at each of them once its owner has logged out', async () => {
    const { own, stolen, elsewhere } = await scene();
    assert.equal((await stolen.at(replicas.other).get('/user/profile')).status, 200, 'it was good before');
    assert.equal((await own.post('/logout')).status, 200);
    await assertEnded(stolen, 'logout');
    assert.equal((await elsewhere.get('/user/profile')).status, 200, 'another browser stays signed in');
  });

  for (const [name, { act, keepsOwn = false }] of Object.entries(REVOCATIONS)) {
    it(`the next request of each gets 401 after ${name}`, async () => {
      const set = await scene();
      const { status, body, text } = await act(set);
      assert.ok(status < 300, text);
      await assertEnded(set.elsewhere, name);
      // If the provider cannot distinguish logins, the one that acts has ended too, and the response says so.
      if (keepsOwn && body.login_ended !== true) assert.equal((await set.own.get('/user/profile')).status, 200);
      else await assertEnded(set.stolen, name);
    });
  }

  it('a session that another one ends in the list has ended', async () => {
    const { own, elsewhere } = await scene();
    const listed = await own.get('/user/sessions');
    if (listed.body.code === 'feature_disabled') return;
    const sessions = listed.body.sessions as readonly { readonly id: string; readonly current: boolean }[];
    const [other] = sessions.filter(({ current }) => !current);
    assert.equal((await own.ask('DELETE', `/user/sessions/${other?.id}`, {})).status, 200);
    await assertEnded(elsewhere, 'the list');
    assert.equal((await own.get('/user/profile')).status, 200);
  });

  it('a login over another one, and a step-up, leave no earlier login', async () => {
    const { one, email, own, elsewhere } = await scene();
    await elsewhere.post('/logout');
    const before = own.at(one);
    await own.logIn(email);
    await assertEnded(before, 'another login');
    const stepped = own.at(one);
    assert.equal((await own.post('/session/step-up', { password: PASSWORD })).status, 200);
    await assertEnded(stepped, 'a step-up');
    const { body } = await own.get('/user/sessions');
    if (body.code !== 'feature_disabled') assert.equal((body.sessions as readonly unknown[]).length, 1);
  });

  it('many parallel step-ups and logouts at both leave one session or none, and no earlier cookie opens it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { own } = await scene();
      const tabs = Array.from({ length: 6 }, (_, index) => own.at(index % 2 === 0 ? replicas.one : replicas.other));
      const answers = await Promise.all(
        tabs.map((tab, index) =>
          index < 4
            ? tab.ask(
                'POST',
                '/session/step-up',
                { password: PASSWORD },
                { ...tab.pageHeaders, ...createClientAddress() },
              )
            : tab.post('/logout'),
        ),
      );
      for (const { status, text } of answers) assert.ok([200, 401].includes(status), text);
      assert.ok(answers.slice(0, 4).filter(({ status }) => status === 200).length <= 1);
      await assertEnded(own.at(replicas.one), `round ${round}`);
    }
  });
});
