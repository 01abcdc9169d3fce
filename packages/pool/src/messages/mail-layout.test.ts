import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MessageKind } from '../settings.ts';
import { LANGUAGES } from './languages/index.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { compose, type TemplateValues } from './templates.ts';

const KINDS = Object.keys(PLACEHOLDERS) as readonly MessageKind[];
const LINK = 'https://pool.example/page#token';

function mailOf(kind: MessageKind, locale: string, changed: Partial<TemplateValues> = {}): string {
  const code = PLACEHOLDERS[kind] === 'link' ? LINK : '83420177';
  const values = { kind, locale, channel: 'email', username: 'ada', code, link: LINK, ...changed } as const;
  return compose({}, values).html ?? assert.fail('a mail has HTML');
}

describe('the HTML of a built-in mail', () => {
  it('loads nothing, runs nothing, names its language, and is made for the dark too', () => {
    for (const locale of Object.keys(LANGUAGES)) {
      for (const kind of KINDS) {
        const html = mailOf(kind, locale);
        const about = `${kind} ${locale}`;
        assert.doesNotMatch(
          html,
          /<(?:script|img|link|iframe|form|object|base)\b|url\(|@import|@font-face|\son\w+=|javascript:/i,
          about,
        );
        const addresses = html.match(/https?:[^"'<\s]*/g) ?? [];
        assert.deepEqual(
          [...new Set(addresses)].filter((address) => address !== LINK),
          [],
          about,
        );
        assert.ok(html.startsWith(`<!doctype html>\n<html lang="${locale}">`), about);
        assert.match(
          html,
          /<meta name="color-scheme" content="light dark">[\s\S]*@media \(prefers-color-scheme: dark\)/,
          about,
        );
        assert.doesNotMatch(html, /[{]#|undefined/, about);
      }
    }
  });

  it('names the service above its title, and nothing in the name is a tag or a place', () => {
    const appName = '<b>{username}</b> {####} {##x##}';
    const html = mailOf('sign_up', 'en', { appName });
    assert.match(html, />&lt;b&gt;&#123;username}&lt;\/b&gt; &#123;####} &#123;##x##}<\/p>\n<h1 /);
  });

  it('shows code and password so that they stand out, and links as buttons', () => {
    assert.match(mailOf('sign_up', 'en'), /<p class="code" style="[^"]+"><strong>83420177<\/strong><\/p>/);
    assert.match(
      mailOf('invitation', 'de', { code: 'a&b' }),
      /<p class="code" style="[^"]+"><strong>a&amp;b<\/strong><\/p>/,
    );
    assert.match(mailOf('new_device', 'en'), new RegExp(`<a href="${LINK}" style="[^"]+">This was not me</a>`));
    assert.match(mailOf('sign_up_link', 'de'), new RegExp(`<a href="${LINK}" style="[^"]+">Adresse bestätigen</a>`));
  });

  it('says no language where an operator wrote the words', () => {
    const kept = { VerificationMessageTemplate: { EmailMessage: 'Code: {####}' } };
    const values = { kind: 'sign_up', locale: 'de', channel: 'email', username: 'ada', code: '1' } as const;
    assert.match(compose({ kept }, values).html ?? '', /^<!doctype html>\n<html>\n/);
  });

  it('A100: shows script in a name as its characters, in heading, text and address', () => {
    const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
    for (const kind of KINDS) {
      const html = mailOf(kind, 'en', { username: attack });
      assert.doesNotMatch(html, /<script|<img/, kind);
    }
    const messages = {
      language: 'en',
      templates: { en: { mfa: { subject: '{username}', text: '{username}\n{username} {####}' } } },
    };
    const values = {
      kind: 'mfa',
      locale: 'en',
      channel: 'email',
      username: attack,
      code: attack,
      link: attack,
    } as const;
    const html = compose({ messages }, values).html ?? '';
    assert.doesNotMatch(html, /<script|<img/);
    assert.equal(html.split('&lt;script&gt;').length, 6);
    const kept = {
      VerificationMessageTemplate: { EmailMessage: '<a title="{username}" href="/?c={####}">{##x##}</a>' },
    };
    const own = compose({ kept }, { ...values, kind: 'sign_up' }).html ?? '';
    assert.doesNotMatch(own, /<script|<img|"'>/);
  });
});
