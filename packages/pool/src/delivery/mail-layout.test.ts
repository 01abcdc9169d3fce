import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PLACEHOLDER_KINDS } from '../settings/template-placeholders.ts';
import type { MessageKind } from '../store/pool-and-client-settings.ts';
import { composeMessage, type TemplateValues } from './compose-message.ts';
import { LANGUAGES } from './languages/index.ts';
import { renderMailHtml } from './mail-layout.ts';

const KINDS = Object.keys(PLACEHOLDER_KINDS) as readonly MessageKind[];
const LINK = 'https://pool.example/page#token';

function renderMail(kind: MessageKind, locale: string, changed: Partial<TemplateValues> = {}): string {
  const code = PLACEHOLDER_KINDS[kind] === 'link' ? LINK : '83420177';
  const values = { kind, locale, channel: 'email', username: 'ada', code, link: LINK, ...changed } as const;
  return composeMessage({}, values).html ?? assert.fail('a mail has HTML');
}

describe('the HTML of a built-in mail', () => {
  it("uses the brand's color for its button", () => {
    const brand = { button: { accent: '#7a1f5c', onAccent: '#ffffff' }, radius: 0 };
    const html = renderMail('password_changed', 'en', { brand });
    assert.match(html, /border-radius:0px;background:#7a1f5c;color:#ffffff/);
  });

  it('has the logo of the brand above its title and the links below, with nothing in them that is a tag or a placeholder', () => {
    const links = { terms: 'https://acme.example/terms?a="{####}', support: 'mailto:help@acme.example' };
    const brand = { radius: 4, logoUrl: 'https://pool.example/logo.png', links };
    const html = renderMail('password_changed', 'de', { brand, appName: '"Acme" {####}' });
    assert.match(html, /<img src="https:\/\/pool\.example\/logo\.png" alt="&quot;Acme&quot; &#123;####}" [^>]+>\n<h1 /);
    assert.match(html, /<a href="https:\/\/acme\.example\/terms\?a=&quot;&#123;####}">Nutzungsbedingungen<\/a>/);
    assert.match(html, /· <a href="mailto:help@acme\.example">Hilfe<\/a><\/p>\n<\/td>/);
    assert.doesNotMatch(html, /Datenschutz/);
    assert.match(html, /border-radius:4px;background:#0b57d0/);
  });

  it('loads nothing without a brand, runs nothing, names its language, and supports dark mode', () => {
    for (const locale of Object.keys(LANGUAGES)) {
      for (const kind of KINDS) {
        const html = renderMail(kind, locale);
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

  it('shows the name of the service above its title, and nothing in the name becomes a tag or a placeholder', () => {
    const appName = '<b>{username}</b> {####} {##x##}';
    const html = renderMail('sign_up', 'en', { appName });
    assert.match(html, />&lt;b&gt;&#123;username}&lt;\/b&gt; &#123;####} &#123;##x##}<\/p>\n<h1 /);
  });

  it('highlights code and password, and shows links as buttons', () => {
    assert.match(renderMail('sign_up', 'en'), /<p class="code" style="[^"]+"><strong>83420177<\/strong><\/p>/);
    assert.match(
      renderMail('invitation', 'de', { code: 'a&b' }),
      /<p class="code" style="[^"]+"><strong>a&amp;b<\/strong><\/p>/,
    );
    assert.match(renderMail('new_device', 'en'), new RegExp(`<a href="${LINK}" style="[^"]+">This wasn’t me</a>`));
    assert.match(
      renderMail('sign_up_link', 'de'),
      new RegExp(`<a href="${LINK}" style="[^"]+">Adresse bestätigen</a>`),
    );
  });

  const renderBody = (kind: MessageKind, text: string, action?: string): string => {
    const template = { subject: 'S', text, language: 'en', ...(action === undefined ? {} : { action }) };
    const [, body] = /<\/h1>\n([\s\S]*)\n<\/td><\/tr>\n<\/table>\n<\/td>/.exec(renderMailHtml(template, kind)) ?? [];
    return (body ?? assert.fail('no body')).replaceAll(/ style="[^"]*"/g, '');
  };

  it('puts its subject on a separate line at the end of a block, and otherwise into the line', () => {
    const code = '<strong>{####}</strong>';
    const address = '<a href="{####}">{####}</a>';
    const small = `<p class="small">${address}</p>`;
    const rows: readonly [kind: MessageKind, text: string, action: string | undefined, body: string][] = [
      ['mfa', 'Code:\n{####} ', undefined, `<p>Code:</p><p class="code">${code}</p>`],
      ['mfa', '{####}', undefined, `<p class="code">${code}</p>`],
      ['mfa', 'Type {####} now', undefined, `<p>Type ${code} now</p>`],
      ['mfa', '{####}, again {####}', undefined, `<p>${code}, again ${code}</p>`],
      ['mfa', 'One\nTwo\n\n\nThree', undefined, '<p>One<br>Two</p>\n<p>Three</p>'],
      [
        'new_device',
        'Undo:\n{####}',
        'No & <no>',
        `<p>Undo:</p><p><a href="{####}">No &amp; &lt;no&gt;</a></p>${small}`,
      ],
      ['new_device', 'Undo:\n{####}', undefined, `<p>Undo:<br>${address}</p>`],
      ['new_device', 'Undo at {####} now', 'No', `<p>Undo at ${address} now</p>`],
      ['new_device', 'A & B', 'No', '<p>A &amp; B</p>'],
      ['sign_up_link', 'Go\n{##here##}\n\nA\nB', undefined, '<p>Go<br>{##here##}</p>\n<p>A<br>B</p>'],
      ['sign_up_known', 'You are {username}', undefined, '<p>You are {username}</p>'],
    ];
    for (const [kind, text, action, body] of rows)
      assert.equal(renderBody(kind, text, action), body, `${kind}: ${text}`);
  });

  it('names no language if an operator wrote the texts', () => {
    const kept = { VerificationMessageTemplate: { EmailMessage: 'Code: {####}' } };
    const values = { kind: 'sign_up', locale: 'de', channel: 'email', username: 'ada', code: '1' } as const;
    assert.match(composeMessage({ kept }, values).html ?? '', /^<!doctype html>\n<html>\n/);
  });

  it('shows script in a name as text, in heading, text and address', () => {
    const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
    for (const kind of KINDS) {
      const html = renderMail(kind, 'en', { username: attack });
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
    const html = composeMessage({ messages }, values).html ?? '';
    assert.doesNotMatch(html, /<script|<img/);
    assert.equal(html.split('&lt;script&gt;').length, 6);
    const kept = {
      VerificationMessageTemplate: { EmailMessage: '<a title="{username}" href="/?c={####}">{##x##}</a>' },
    };
    const own = composeMessage({ kept }, { ...values, kind: 'sign_up' }).html ?? '';
    assert.doesNotMatch(own, /<script|<img|"'>/);
  });
});
