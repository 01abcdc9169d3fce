import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import {
  addUser,
  assertInvalidField,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ATTACK = `"'><script>top.hit=1;alert(1)</script><img src=x onerror=top.hit=1>`;

/** What an email could try: run a script, load a resource, leave its frame, or send a form. */
const hostile = (outside: string) => `<p onclick="top.hit=1">{####}</p><script>top.hit=1;alert(1)</script>
<img src="${outside}/pixel.png" onerror="top.hit=1"><link rel="stylesheet" href="${outside}/a.css">
<meta http-equiv="refresh" content="0;url=${outside}/"><iframe src="javascript:top.hit=1"></iframe>
<form action="${outside}/" target="_top"><button id="go">Go</button></form>
<a id="leave" href="${outside}/" target="_top">leave</a><b>{username}</b>`;

describe('the page of development mails', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startTestService();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function open(query = '') {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on('dialog', () => assert.fail('something ran'));
    await page.goto(`${service.url}/dev/mail${query}`);
    return { page, close: () => context.close() };
  }

  it('shows each mail as its reader sees it, newest first, or only those of one address', async () => {
    const empty = await open();
    assert.match(await empty.page.innerText('main'), /No messages yet/);
    await empty.close();
    for (const email of ['first@example.com', 'second@example.com']) {
      assert.equal((await service.post('/register', { email, password: PASSWORD })).status, 200);
    }
    const { page, close } = await open();
    const items = page.getByRole('navigation').getByRole('link');
    assert.deepEqual(
      (await items.allInnerTexts()).map((text) => /\w+@example.com/.exec(text)?.[0]),
      ['second@example.com', 'first@example.com'],
    );
    assert.match(await page.innerText('article dl'), /second@example\.com/);
    await items.nth(1).click();
    await page.locator('dd', { hasText: 'first@example.com' }).waitFor();
    const code = findLastCode(service, 'first@example.com');
    assert.equal(await page.frameLocator('iframe').locator('.code').innerText(), code);
    assert.match(await page.innerText('pre'), new RegExp(code));
    await page.getByRole('searchbox').fill('second@example.com');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/to=second/);
    assert.equal(await items.count(), 1);
    await close();
  });

  it('makes links of the text clickable, and nothing else', async () => {
    const email = 'link@example.com';
    await addUser(service, email);
    const { body } = await service.post('/login', { username: email, password: PASSWORD });
    const headers = { authorization: `Bearer ${body.access_token}` };
    await service.post('/user/changepassword', { password: PASSWORD, new_password: 'Another-Horse2!' }, headers);
    const { page, close } = await open(`?to=${email}`);
    const href = await page.locator('pre a').getAttribute('href');
    assert.match(href ?? '', /^http:\/\/localhost:\d+\/cognito\/not-me#[\w-]+$/);
    assert.equal(await page.locator('pre a').count(), 1);
    await close();
  });

  it('shows script in templates, names and queries as text, and a mail runs, loads and reaches nothing', async () => {
    let reached = 0;
    const other = createServer((_, answer) => {
      reached += 1;
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const outside = `http://127.0.0.1:${port}`;
    const updated = await service.call(
      'UpdateUserPool',
      {
        UserPoolId: service.userPoolId,
        AutoVerifiedAttributes: ['email'],
        VerificationMessageTemplate: { EmailMessage: hostile(outside), EmailSubject: `<img src=x onerror=top.hit=1>` },
        AdminCreateUserConfig: {
          InviteMessageTemplate: {
            EmailMessage: hostile(outside),
            EmailSubject: '{username}',
            SMSMessage: '{username} {####}',
          },
        },
      },
      service.asAdmin,
    );
    assert.equal(updated.status, 200, updated.text);
    const email = 'hostile@example.com';
    assert.equal((await service.post('/register', { email, password: PASSWORD })).status, 200);
    const invited = await service.call(
      'AdminCreateUser',
      {
        UserPoolId: service.userPoolId,
        Username: 'xss@example.com',
        TemporaryPassword: `Aa1!${ATTACK.replaceAll(' ', '/')}`,
        UserAttributes: [{ Name: 'email', Value: 'xss@example.com' }],
      },
      service.asAdmin,
    );
    assert.equal(invited.status, 200, invited.text);
    for (const query of [`?to=${email}`, '?to=xss@example.com', `?to=${encodeURIComponent(ATTACK)}`, '']) {
      const { page, close } = await open(query);
      const frame = page.frames().find((each) => each !== page.mainFrame());
      if (frame !== undefined) {
        await frame.locator('#leave').click({ noWaitAfter: true });
        await frame.locator('#go').click({ noWaitAfter: true });
      }
      assert.equal(await page.evaluate(() => 'hit' in globalThis), false, query);
      assert.equal(await page.locator('article script, article img, nav img, form img').count(), 0, query);
      assert.equal(new URL(page.url()).pathname, '/dev/mail', query);
      await close();
    }
    await new Promise((resolve) => other.close(resolve));
    assert.equal(reached, 0);
    const [mail] = service.outbox?.list(email) ?? [];
    const { headers } = await service.get(`/dev/mail/${mail?.id}`);
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'; .*frame-ancestors 'self'$/);
  });

  it('refuses an invalid ID and an unknown mail', async () => {
    assert.match((await service.get('/dev/mail/none')).text, /^This message no longer exists/);
    assertInvalidField(await service.get('/dev/mail?id=%00'), 'id');
    assertInvalidField(await service.get(`/dev/mail?to=${'x'.repeat(129)}`), 'to');
    assert.match((await service.get('/dev/mail?id=gone')).text, /This message no longer exists/);
  });
});
