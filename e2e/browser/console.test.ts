import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type * as playwright from 'playwright-core';
import { listAxeViolations } from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser } from '../support/browser/page-person.ts';
import { startPageService } from '../support/browser/page-service.ts';
import { LANGUAGES } from '../support/browser/shown-pages.ts';
import { addUser, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
/** Short enough for every name: markup in text, out of an attribute, and of a template. */
const ATTACK = '"><img src=x onerror=ran()><script>ran()</script>{{ran()}}';
const WITHOUT_SPACES = ATTACK.replaceAll(' ', '/');
const PHONE = { width: 360, height: 740 };
const MOST_BYTES = 150_000;

describe('the console', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let admin: BrowserUser;
  let ran = 0;
  let clientId = '';
  let webhookId = '';
  before(async () => {
    service = await startPageService({ privateWebhooks: true });
    browser = await launchBrowser();
    await addUser(service, ADA);
    await asAdmin('POST', '/admin/groups', { group_name: WITHOUT_SPACES, description: ATTACK });
    await asAdmin('POST', `/admin/users/${ADA}/groups`, { group_name: WITHOUT_SPACES });
    const names = ['name', 'given_name', 'nickname', 'address', 'profile'];
    const attributes = Object.fromEntries(names.map((name) => [name, ATTACK]));
    await asAdmin('PATCH', `/admin/users/${ADA}`, { attributes });
    const settings = { client_name: 'shop', generate_secret: true, callback_urls: ['https://shop.example.com/back'] };
    clientId = String((await asAdmin('POST', '/admin/clients', settings)).client_id);
    const webhook = { url: `${service.url}/${encodeURIComponent(ATTACK)}`, description: ATTACK };
    webhookId = String((await asAdmin('POST', '/admin/webhooks', webhook)).id);
    await service.post('/login', { username: ADA, password: 'Wrong-Passw0rd' }, { 'user-agent': ATTACK });
    admin = await openBrowserUser(browser, service, { reducedMotion: 'reduce', viewport: PHONE });
    await admin.page.exposeFunction('ran', () => {
      ran += 1;
    });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** Calls an admin route with the key itself, and returns the response. */
  async function asAdmin(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const answer = await service.ask(method, path, { headers: service.asAdmin, ...(body && { body }) });
    assert.ok(answer.status < 300, answer.text);
    const { client, webhook, user, group } = answer.body;
    return (client ?? webhook ?? user ?? group ?? answer.body) as Readonly<Record<string, unknown>>;
  }

  const open = async (place = '', language = 'en'): Promise<void> => {
    await admin.page.goto('about:blank');
    await admin.page.goto(`${service.baseUrl}/cognito/console?lang=${language}#/${place}`);
    await admin.page.locator('h1').waitFor();
    await admin.page.locator('[data-part=loading]').waitFor({ state: 'detached' });
  };

  const confirm = async (typed?: string): Promise<void> => {
    if (typed !== undefined) await admin.page.locator('#field-typed').fill(typed);
    await admin.press('confirm');
    await admin.page.locator('dialog').waitFor({ state: 'detached' });
  };

  const fill = (name: string, text: string) => admin.page.locator(`main [name="${name}"]`).fill(text);
  const notice = () => admin.page.locator('[data-part=notice]').innerText();
  const place = () => decodeURIComponent(new URL(admin.page.url()).hash);

  const PLACES = () => [
    '',
    'users',
    'users?search=nobody',
    'new-user',
    `user/${encodeURIComponent(ADA)}`,
    'groups',
    'new-group',
    `group/${encodeURIComponent(WITHOUT_SPACES)}`,
    'applications',
    'new-application',
    `application/${clientId}`,
    'webhooks',
    'new-webhook',
    `webhook/${webhookId}`,
    'keys',
    'new-key',
    'audit',
    `audit?user=${encodeURIComponent(ADA)}&type=login.failed`,
    'nothing',
  ];

  it('opens with only an admin key, typed with a keyboard, and loads at most 150 kB', async () => {
    const bodies: Promise<Buffer>[] = [];
    const countBody = (response: playwright.Response): void => {
      if (new URL(response.url()).pathname.startsWith('/cognito/console')) bodies.push(response.body());
    };
    admin.page.on('response', countBody);
    await open(`user/${encodeURIComponent(ADA)}`);
    assert.deepEqual(await listAxeViolations(admin.page), []);
    await admin.page.keyboard.type('pg_wrong_key');
    await admin.page.keyboard.press('Enter');
    await admin.page.locator('[data-part=alert]').waitFor();
    assert.equal(await admin.page.locator('input[name=admin-key]').inputValue(), '');
    await admin.page.keyboard.type(service.adminKey?.bearer ?? '');
    await admin.page.keyboard.press('Enter');
    await admin.sees(ADA);
    admin.page.off('response', countBody);
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
    const [total, script] = [sizes.reduce((sum, size) => sum + size, 0), Math.max(...sizes)];
    assert.ok(script > 10_000 && total < MOST_BYTES, `${total} bytes`);
    assert.equal(await admin.page.evaluate(() => document.cookie), '');
  });

  it('shows user input as text on every screen, and axe finds nothing in both themes', async () => {
    for (const where of PLACES()) {
      await open(where);
      await admin.page.locator('main details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      await admin.page.emulateMedia({ colorScheme: 'light' });
      assert.deepEqual(await listAxeViolations(admin.page), [], where);
      // The theme changes only colors.
      await admin.page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await listAxeViolations(admin.page, { runOnly: ['color-contrast'] }), [], `${where}, dark`);
      const isWide = await admin.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!isWide, `${where} scrolls sideways`);
      assert.equal(await admin.page.locator('img[src="x"]').count(), 0, where);
      assert.deepEqual([ran, ...admin.faults], [0], where);
    }
    await admin.page.emulateMedia({ colorScheme: 'light' });
  });

  it('is available in every language and direction', async () => {
    const titles = new Set<string>();
    for (const language of LANGUAGES) {
      await open(`user/${encodeURIComponent(ADA)}`, language);
      assert.equal(await admin.page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      titles.add(await admin.page.locator('#profile').innerText());
      assert.deepEqual(await listAxeViolations(admin.page, { runOnly: ['wcag2a', 'wcag2aa'] }), [], language);
    }
    assert.ok(titles.size >= 5);
  });

  it('finds users, keeps the filters in the address, and returns to the same place in the list', async () => {
    for (let number = 0; number < 25; number += 1)
      await asAdmin('POST', '/admin/users', { email: `reader-${number}@example.com` });
    await open('users');
    await fill('search', 'reader-1');
    await admin.press('apply');
    await admin.page.waitForFunction(() => location.hash.includes('search=reader-1'));
    await admin.page.getByRole('link', { name: 'reader-11@example.com' }).waitFor();
    assert.equal(await admin.page.getByRole('link', { name: ADA }).count(), 0);
    // The page notes where it is when it handles the event.
    await admin.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          addEventListener('scroll', () => requestAnimationFrame(() => resolve()), { once: true });
          scrollTo(0, 400);
        }),
    );
    await admin.page.getByRole('link', { name: 'reader-11@example.com' }).click();
    await admin.sees('reader-11@example.com');
    await admin.page.goBack();
    await admin.page.getByRole('link', { name: 'reader-11@example.com' }).waitFor();
    await admin.page.waitForFunction(() => scrollY > 0);
    assert.match(place(), /search=reader-1/);
    await admin.page.getByRole('link', { name: 'reader-11@example.com' }).click();
    await admin.sees('reader-11@example.com');
    await admin.press('back');
    await admin.page.getByRole('link', { name: 'reader-11@example.com' }).waitFor();
    await admin.page.waitForFunction(() => scrollY > 0);
    assert.match(place(), /search=reader-1/, 'the way back leads to the filtered list');
    await open('users');
    await admin.press('next-page');
    await admin.page.waitForFunction(() => location.hash.includes('cursor='));
    await admin.press('first-page');
    await admin.page.waitForFunction(() => !location.hash.includes('cursor='));
  });

  it('creates users with an invitation, or with a password that is shown once', async () => {
    await open('new-user');
    await fill('email', 'invited@example.com');
    await admin.press('create');
    assert.match(await notice(), /invited@example\.com/);
    assert.ok(service.outbox?.list('invited@example.com').length);
    await open('new-user');
    await fill('email', 'shown@example.com');
    await admin.page.locator('input[value=adminUserCreate]').check();
    await admin.press('create');
    const password = await admin.page.locator('[data-part=secret] code').innerText();
    const login = await service.post('/login', { username: 'shown@example.com', password });
    assert.equal(login.body.challenge_name, 'NEW_PASSWORD_REQUIRED');
    await open('new-user');
    await fill('email', 'shown@example.com');
    await admin.press('create');
    await admin.page.locator('[data-part=alert]').waitFor();
  });

  it('changes, disables, enables, signs out and deletes a user', async () => {
    const email = 'changed@example.com';
    await addUser(service, email);
    const show = () => asAdmin('GET', `/admin/users/${email}`);
    await open(`user/${encodeURIComponent(email)}`);
    await admin.press('edit');
    await fill('new-name', 'name');
    await fill('new-value', 'Changed');
    await admin.press('save');
    await admin.page.locator('[data-part=notice]').waitFor();
    assert.equal(((await show()).attributes as Readonly<Record<string, string>>).name, 'Changed');
    await fill('group', WITHOUT_SPACES);
    await admin.press('add-group');
    await admin.page.locator('[data-part=rows] li').waitFor();
    assert.deepEqual((await show()).groups, [WITHOUT_SPACES]);
    for (const [action, isEnabled] of [
      ['disable', false],
      ['enable', true],
      ['reset-mfa', true],
      ['sign-out-user', true],
      ['reset', true],
    ] as const) {
      await admin.press(action);
      await confirm();
      await admin.page.locator('[data-part=notice]').waitFor();
      assert.equal((await show()).enabled, isEnabled, action);
    }
    assert.equal((await show()).status, 'RESET_REQUIRED');
    await admin.press('delete');
    assert.ok(await admin.page.locator('[data-name=confirm]').isDisabled());
    await confirm(email);
    await admin.page.waitForFunction(() => location.hash === '#/users');
    assert.equal((await service.get(`/admin/users/${email}`, service.asAdmin)).status, 404);
  });

  it('changes nothing if a dialog is canceled with the keyboard', async () => {
    await open(`user/${encodeURIComponent(ADA)}`);
    await admin.press('disable');
    await admin.page.keyboard.press('Escape');
    await admin.page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal((await asAdmin('GET', `/admin/users/${ADA}`)).enabled, true);
    assert.equal(await admin.page.evaluate(() => document.activeElement?.getAttribute('data-name')), 'disable');
  });

  it('creates, changes and deletes groups', async () => {
    await open('new-group');
    await fill('group_name', 'editors');
    await fill('precedence', '3');
    await admin.press('create');
    await admin.sees('editors');
    await fill('description', 'Write articles');
    await admin.press('save');
    await admin.page.locator('[data-part=notice]').waitFor();
    const { description, precedence } = await asAdmin('GET', '/admin/groups/editors');
    assert.deepEqual([description, precedence], ['Write articles', 3]);
    await admin.press('delete');
    await confirm('editors');
    await admin.page.waitForFunction(() => location.hash === '#/groups');
    assert.equal((await service.get('/admin/groups/editors', service.asAdmin)).status, 404);
  });

  it('creates applications, checks their addresses, and rotates their secrets', async () => {
    await open('new-application');
    await fill('client_name', 'portal');
    await fill('callback_urls', 'https://*.example.com/back');
    await admin.page.locator('input[name=generate_secret]').check();
    await admin.press('create');
    assert.match(await admin.page.locator('[data-part=alert]').innerText(), /wildcard/);
    await fill('callback_urls', 'https://portal.example.com/back');
    await admin.page.locator('input[value=code]').check();
    await fill('scopes', 'openid');
    await admin.press('create');
    const first = await admin.page.locator('[data-part=secret] code').innerText();
    await admin.page.locator('[data-part=notice] a').click();
    await admin.sees('portal');
    await admin.press('add-secret');
    await confirm();
    const second = await admin.page.locator('[data-part=secret] code').innerText();
    assert.notEqual(first, second);
    const deletions = admin.page.locator('[data-name=delete-secret]');
    assert.equal(await deletions.count(), 2);
    await deletions.nth(0).click();
    await confirm();
    await admin.page.locator('[data-name=add-secret]').waitFor();
    await fill('client_name', 'renamed');
    await admin.press('save');
    await admin.sees('renamed');
    const id = place().replace('#/application/', '');
    assert.equal((await asAdmin('GET', `/admin/clients/${id}`)).client_name, 'renamed');
    await admin.press('delete');
    await confirm('renamed');
    await admin.page.waitForFunction(() => location.hash === '#/applications');
    assert.equal((await service.get(`/admin/clients/${id}`, service.asAdmin)).status, 404);
  });

  it('creates, tests and deletes webhooks', async () => {
    await open('new-webhook');
    await fill('url', `${service.url}/none`);
    await fill('events', 'login.failed');
    await admin.press('create');
    assert.match(await admin.page.locator('[data-part=secret] code').innerText(), /^whsec_/);
    await admin.page.locator('[data-part=notice] a').click();
    await admin.press('test');
    await admin.page.locator('[data-part=notice]').waitFor();
    assert.match(await notice(), /did not accept/);
    const id = place().replace('#/webhook/', '');
    await admin.press('delete');
    await confirm();
    await admin.page.waitForFunction(() => location.hash === '#/webhooks');
    assert.equal((await service.get(`/admin/webhooks/${id}/dead`, service.asAdmin)).status, 404);
  });

  it('filters the audit log, also by a click on a type', async () => {
    await open('audit');
    await fill('type', 'login.failed');
    await admin.press('apply');
    await admin.page.waitForFunction(() => location.hash.includes('type=login.failed'));
    await admin.page.waitForFunction(() => {
      const types = [...document.querySelectorAll('main a[data-name=type]')];
      return types.length > 0 && types.every(({ textContent }) => textContent.trim() === 'login.failed');
    });
    assert.equal(await admin.page.locator('main input[name=type]').inputValue(), 'login.failed');
    await open('');
    await admin.page.locator('main a[data-name=type]').first().click();
    await admin.page.waitForFunction(() => location.hash.startsWith('#/audit?type='));
  });

  it('creates an admin key with fewer rights, and revokes it', async () => {
    await open('new-key');
    await fill('label', ATTACK);
    await admin.page.locator('input[value="users:read"]').check();
    await admin.press('create');
    const key = await admin.page.locator('[data-part=secret] code').innerText();
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await service.get('/admin/users', headers)).status, 200);
    assert.equal((await service.get('/admin/audit', headers)).status, 403);
    await admin.page.locator('[data-part=notice] a').click();
    await admin.press('revoke');
    await confirm(key.split('_')[1]);
    await admin.page.locator('[data-part=notice]').waitFor();
    assert.equal((await service.get('/admin/users', headers)).status, 401);
  });

  it('shows the API call without the key', async () => {
    await open(`user/${encodeURIComponent(ADA)}`);
    await admin.page.locator('[data-part=calls] summary').click();
    const shown = await admin.page.locator('[data-part=calls] pre').first().innerText();
    assert.match(shown, /admin\/users\/ada%40example\.com'/);
    assert.match(shown, /Bearer \$POOLGATE_ADMIN_KEY/);
    assert.ok(!(await admin.page.content()).includes(service.adminKey?.secret ?? '?'));
  });

  it('says that the service failed, with the request ID, and loads again on request', async () => {
    const path = '**/cognito/console/api/admin/groups**';
    const headers = { 'x-request-id': 'failed-request' };
    await admin.page.route(path, (route) => route.fulfill({ status: 502, headers, body: '<h1>Bad gateway</h1>' }));
    await open('groups');
    const alert = admin.page.locator('[data-part=alert]');
    assert.match(await alert.innerText(), /could not complete the request[\s\S]*failed-request/);
    await admin.page.unroute(path);
    await admin.press('retry');
    await admin.page.getByRole('link', { name: WITHOUT_SPACES }).waitFor();
    assert.equal(await alert.count(), 0);
  });

  it('asks for the key again before a late deletion', async () => {
    await asAdmin('POST', '/admin/groups', { group_name: 'late' });
    await open('group/late');
    for (let turn = 0; turn < 2; turn += 1) {
      service.clock.advance(10 * 60_000);
      await open('group/late');
    }
    await admin.press('delete');
    await admin.page.locator('#field-typed').fill('late');
    await admin.press('confirm');
    await admin.page.locator('input[name=admin-key]').waitFor();
    assert.match(await admin.page.locator('[data-part=alert]').innerText(), /enter an admin key again/);
    await asAdmin('GET', '/admin/groups/late');
    await admin.page.locator('input[name=admin-key]').fill(service.adminKey?.bearer ?? '');
    await admin.press('submit');
    await admin.sees('late');
    await admin.press('delete');
    await confirm('late');
    assert.equal((await service.get('/admin/groups/late', service.asAdmin)).status, 404);
  });

  it('asks for the key again after the session has ended, and then shows the same place', async () => {
    await open('groups');
    service.clock.advance(16 * 60_000);
    await admin.page.getByRole('link', { name: 'Applications' }).click();
    await admin.page.locator('input[name=admin-key]').waitFor();
    await admin.page.locator('input[name=admin-key]').fill(service.adminKey?.bearer ?? '');
    await admin.press('submit');
    await admin.sees('Applications');
    await admin.press('sign-out');
    await admin.page.locator('input[name=admin-key]').waitFor();
    assert.ok((await admin.page.context().cookies()).every(({ name }) => name !== '__Host-poolgate-console'));
  });
});
