import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OutboxEntry } from '../kernel/deps.ts';
import { MAIL_PAGE_POLICY, renderMailPage } from './mail-page.ts';

const NEWEST: OutboxEntry = {
  id: 'm2',
  to: 'ada@example.com',
  channel: 'email',
  subject: 'Reset your password',
  text: 'Open https://id.example.com/reset?a=1&b=2 now.',
  html: '<p>Open the link.</p>',
  at: '2026-01-02T03:04:05.678Z',
};
const OLDER: OutboxEntry = {
  id: 'm1',
  to: '+15551234567',
  channel: 'sms',
  subject: 'Code <1>',
  text: 'Your code is 123456.',
  code: '123456',
  at: '2026-01-01T00:00:00.000Z',
};
const ALL = [NEWEST, OLDER];

/** Returns the displayed message without the list. */
function readArticle(page: string): string {
  return /<article>([\s\S]*)<\/article>/.exec(page)?.[1] ?? '';
}

describe('the page of the development outbox', () => {
  it('shows the newest message until another one is chosen', () => {
    const newest = renderMailPage(ALL, { to: undefined, id: undefined });
    assert.match(readArticle(newest), /<h2>Reset your password<\/h2>/);
    assert.match(newest, /<a href="mail\?id=m2" aria-current="true">Reset your password/);
    assert.match(newest, /<a href="mail\?id=m1">SMS: Code &lt;1&gt;/);
    const older = renderMailPage(ALL, { to: undefined, id: 'm1' });
    assert.match(readArticle(older), /<h2>Code &lt;1&gt;<\/h2>/);
    assert.match(older, /<a href="mail\?id=m1" aria-current="true">/);
    assert.match(older, /<a href="mail\?id=m2">/);
  });

  it('tells an empty outbox from a message that is gone', () => {
    assert.match(readArticle(renderMailPage([], { to: undefined, id: undefined })), /No messages yet/);
    assert.match(readArticle(renderMailPage(ALL, { to: undefined, id: 'm3' })), /This message no longer exists/);
  });

  it('lists recipient, channel, time and code, and frames HTML without permissions', () => {
    const email = readArticle(renderMailPage(ALL, { to: undefined, id: 'm2' }));
    const time = '<time datetime="2026-01-02T03:04:05.678Z">2026-01-02 03:04:05 UTC</time>';
    const facts = `<dl><dt>To</dt><dd>ada@example.com</dd><dt>By</dt><dd>mail</dd><dt>At</dt><dd>${time}</dd></dl>`;
    assert.ok(email.includes(facts), email);
    assert.match(email, /<iframe sandbox title="[^"]+" src="mail\/m2"><\/iframe>/);
    const sms = readArticle(renderMailPage(ALL, { to: undefined, id: 'm1' }));
    assert.match(sms, /<dt>By<\/dt><dd>SMS<\/dd>.*<dt>Code<\/dt><dd>123456<\/dd>/);
    assert.doesNotMatch(sms, /<iframe/);
  });

  it('shows untrusted text as text, and links only its addresses', () => {
    const text = 'See http://a.example/?x=1&y=2 <b>"bold"</b>';
    const page = renderMailPage([{ ...OLDER, text }], { to: undefined, id: undefined });
    const address = 'http://a.example/?x=1&amp;y=2';
    const link = `<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`;
    assert.ok(readArticle(page).includes(`<pre>See ${link} &lt;b&gt;&quot;bold&quot;&lt;/b&gt;</pre>`), page);
  });

  it('keeps the chosen recipient in the search field and in links', () => {
    const page = renderMailPage([OLDER], { to: '+1"5', id: undefined });
    assert.match(page, /name="to" maxlength="128" value="\+1&quot;5"/);
    assert.match(page, /<a href="mail\?to=%2B1%225&amp;id=m1"/);
  });

  it('allows no script and no frame around it', () => {
    assert.match(MAIL_PAGE_POLICY, /^default-src 'none'; style-src 'sha256-[^']+'; frame-src 'self'; /);
    assert.match(MAIL_PAGE_POLICY, /; frame-ancestors 'none'$/);
    assert.doesNotMatch(MAIL_PAGE_POLICY, /script-src|unsafe/);
  });
});
