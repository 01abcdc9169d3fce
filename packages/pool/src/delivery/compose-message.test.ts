import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessageSettings } from '../settings/check-templates.ts';
import { PLACEHOLDER_KINDS } from '../settings/template-placeholders.ts';
import type { MessageKind, MessageSettings, MessageTemplate } from '../store/pool-and-client-settings.ts';
import { composeMessage, type TemplateValues } from './compose-message.ts';
import { LANGUAGES } from './languages/index.ts';

const ALL = Object.keys(PLACEHOLDER_KINDS) as readonly MessageKind[];
const KINDS = ALL.filter((kind) => PLACEHOLDER_KINDS[kind] === 'code' || PLACEHOLDER_KINDS[kind] === 'password');
const NOTICES = ALL.filter((kind) => PLACEHOLDER_KINDS[kind] === 'link');

/** Independent of the tested code. */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Half of the characters have a meaning in HTML, in a template, in a replacement or at the end of a line. */
const VALUES = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...Object.keys(ENTITIES),
      ...Object.values(ENTITIES),
      '{####}',
      '{username}',
      '{',
      '}',
      '#',
      '$&',
      '\r',
      '\n',
      '\u2028',
      '\0',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

function templateValues(changed: Partial<TemplateValues> = {}): TemplateValues {
  return { kind: 'mfa', channel: 'email', locale: undefined, username: 'ada', code: '123456', ...changed };
}

describe('the texts of a message', () => {
  it('contain the code once in every kind, channel and built-in language', () => {
    for (const locale of Object.keys(LANGUAGES)) {
      for (const kind of KINDS) {
        const mail = composeMessage({}, templateValues({ kind, locale }));
        for (const text of [mail.text, mail.html ?? ''])
          assert.equal(text.split('123456').length, 2, `${kind} ${locale}`);
        const sms = composeMessage({}, templateValues({ kind, locale, channel: 'sms' }));
        assert.equal(sms.text.split('123456').length, 2);
        assert.equal(sms.html, undefined);
        for (const { subject, text } of [mail, sms])
          assert.ok(!/[{}]/.test(subject + text) && !subject.includes('123456'));
      }
    }
  });

  it('contain the link of a notice in text and HTML, and mention no link without one', () => {
    const link = 'https://pool.example/not-me#token';
    for (const locale of Object.keys(LANGUAGES)) {
      for (const kind of NOTICES) {
        const changes = kind === 'factor_changed' ? (['passkey_added', 'SMS_MFA_off'] as const) : undefined;
        const dateMs = kind === 'deletion_scheduled' ? Date.UTC(2026, 11, 12) : undefined;
        const mail = composeMessage({}, templateValues({ kind, locale, code: link, changes, dateMs }));
        assert.equal(mail.text.split(link).length, 2);
        assert.ok(mail.html?.includes(`<a href="${link}">${link}</a>`));
        const bare = composeMessage({}, templateValues({ kind, locale, code: '', changes, dateMs }));
        assert.ok(bare.text.includes('ada') && mail.text.startsWith(bare.text));
        assert.doesNotMatch(bare.text, /link|#|[{}]/i);
        assert.doesNotMatch(bare.html ?? '', /link|href|\{#/i);
      }
      const known = composeMessage({}, templateValues({ kind: 'sign_up_known', locale, code: '' }));
      assert.doesNotMatch(known.text, /[{}]/);
    }
  });

  it('omit the pool’s HTML if there is no link for it', () => {
    const html = '<p>Bad news, <a href="{####}">undo</a></p>';
    const own: MessageSettings = { language: 'en', templates: { en: { new_device: { html } } } };
    const notice = templateValues({ kind: 'new_device', code: 'https://pool.example/#t' });
    assert.match(composeMessage({ messages: own }, notice).html ?? '', /<a href="https:\/\/pool.example\/#t">undo/);
    assert.doesNotMatch(composeMessage({ messages: own }, { ...notice, code: '' }).html ?? '', /undo|href/);
  });

  it('use the language of the user, otherwise of the pool, otherwise English', () => {
    const settings: MessageSettings = { language: 'de', templates: { fr: { mfa: { subject: 'Votre code' } } } };
    const rows: readonly [locale: string | undefined, messages: MessageSettings | undefined, subject: RegExp][] = [
      ['de-AT', undefined, /^Ihr/],
      ['de_CH', undefined, /^Ihr/],
      ['DE', undefined, /^Ihr/],
      ['en-GB', settings, /^Your/],
      ['fr-FR', settings, /^Votre/],
      ['ja', settings, /^Ihr/],
      [undefined, settings, /^Ihr/],
      ['ja', undefined, /^Your/],
      ['', undefined, /^Your/],
      ['__proto__', undefined, /^Your/],
      ['constructor', settings, /^Ihr/],
    ];
    for (const [locale, messages, subject] of rows) {
      assert.match(
        composeMessage(messages === undefined ? {} : { messages }, templateValues({ locale })).subject,
        subject,
        String(locale),
      );
    }
  });

  it('name their language, and none if the texts are not in it', () => {
    const language = (changed: Partial<TemplateValues>, kept = {}) =>
      /<html(?: lang="(.*)")?>/.exec(composeMessage({ kept }, templateValues(changed)).html ?? '')?.[1];
    assert.equal(language({ locale: 'ja' }), 'en');
    assert.equal(language({ locale: 'de-AT' }), 'de');
    assert.equal(language({ locale: 'de', override: { emailSubject: 'Hallo' } }), 'de');
    assert.equal(language({ locale: 'de', override: { emailMessage: 'Codice {####}' } }), undefined);
  });

  it('are those given for the message if they contain what the reader needs, without other HTML', () => {
    const kept = { VerificationMessageTemplate: { EmailMessage: '<i>Pool</i> {####}', EmailMessageByLink: 'No link' } };
    const link = 'https://pool.example/confirm#t&x';
    const words = (kind: MessageKind, emailMessage: string | undefined) => {
      const values = templateValues({ kind, code: '123456', link, override: { emailMessage } });
      const { text, html = '' } = composeMessage({ kept }, values);
      return [text, html.startsWith('<!doctype') ? 'ours' : html];
    };
    const isBuiltIn = ([text = '']: readonly string[]) => text.startsWith('Confirm your email address to finish');
    assert.deepEqual(words('sign_up', 'Mine {####}'), ['Mine 123456', 'ours']);
    assert.deepEqual(words('sign_up', undefined), ['Pool 123456', '<i>Pool</i> 123456']);
    assert.deepEqual(words('sign_up', '{##Mine##}'), ['Pool 123456', '<i>Pool</i> 123456'], 'it has no code');
    assert.deepEqual(words('sign_up_known', 'You are known'), ['You are known', 'ours']);
    assert.deepEqual(words('sign_up_link', 'Mine {####}'), ['Mine 123456', 'ours']);
    assert.deepEqual(words('sign_up_link', '<b>{##Go##}</b>'), [
      `Go: ${link}`,
      '<b><a href="https://pool.example/confirm#t&amp;x">Go</a></b>',
    ]);
    for (const useless of [undefined, 'No link']) assert.ok(isBuiltIn(words('sign_up_link', useless)), String(useless));
  });

  it('have no link if there is none, and keep the pool’s HTML if none is needed', () => {
    const override = { emailMessage: '<b>{##Go##}</b>' };
    const { text, html } = composeMessage({}, templateValues({ kind: 'sign_up_link', override }));
    assert.deepEqual([text, html], ['Go', '<b>Go</b>']);
    const known = { html: '<b>{username}</b>' };
    const own: MessageSettings = { language: 'en', templates: { en: { sign_up_known: known } } };
    assert.equal(
      composeMessage({ messages: own }, templateValues({ kind: 'sign_up_known', code: '' })).html,
      '<b>ada</b>',
    );
  });

  it('come from the pool before the built-in ones, each text separately', () => {
    const own: MessageSettings = {
      language: 'en',
      templates: { en: { mfa: { text: 'Code {####}, {username}\nDone' } } },
    };
    const { subject, text, html } = composeMessage({ messages: own }, templateValues());
    assert.equal(subject, 'Your authentication code');
    assert.equal(text, 'Code 123456, ada\nDone');
    assert.match(html ?? '', /<p style="[^"]+">Code <strong>123456<\/strong>, ada<br>Done<\/p>/);
    const raw: MessageSettings = { language: 'en', templates: { en: { mfa: { html: '<b>{####}</b> {username}' } } } };
    assert.equal(
      composeMessage({ messages: raw }, templateValues({ username: '<ada>' })).html,
      '<b>123456</b> &lt;ada&gt;',
    );
  });

  it('escape each special character of HTML, in values and in text that becomes HTML', () => {
    const own = (template: Partial<MessageTemplate>): MessageSettings => ({
      language: 'en',
      templates: { en: { mfa: template } },
    });
    const raw = own({ html: '{username} {####}' });
    const plain = own({ text: '{username} {####} &<>"\'' });
    for (const [sign, entity] of Object.entries(ENTITIES)) {
      const values = templateValues({ username: `a${sign}${sign}`, code: `1${sign}` });
      assert.equal(composeMessage({ messages: raw }, values).html, `a${entity}${entity} 1${entity}`);
      const made = `a${entity}${entity} <strong>1${entity}</strong> ${Object.values(ENTITIES).join('')}`;
      assert.ok(
        composeMessage({ messages: plain }, values).html?.includes(`">${made}</p>
</td>`),
      );
      assert.equal(composeMessage({ messages: plain }, values).text, `a${sign}${sign} 1${sign} &<>"'`);
    }
  });

  it('treat values as values: they contain no placeholder, no tag and no line of the subject', () => {
    const settings: MessageSettings = {
      language: 'en',
      templates: { en: { mfa: { subject: 'For {username}', text: '{username}: {####}' } } },
    };
    fc.assert(
      fc.property(VALUES, VALUES, (username, code) => {
        const { subject, text, html } = composeMessage({ messages: settings }, templateValues({ username, code }));
        assert.equal(text, `${username}: ${code}`);
        assert.doesNotMatch(subject, /[\p{Cc}\u2028\u2029]/u);
        const [, inner = ''] = /<h1 [^>]*>([\s\S]*)<\/td><\/tr>\n<\/table>\n<\/td>/.exec(html ?? '') ?? [];
        const shown = inner.replace(/<\/?(?:h1|p|strong)(?: class="code")?(?: style="[^"<>]*")?>|<br>/g, '');
        assert.ok(shown.length >= username.length + code.length);
        assert.doesNotMatch(shown, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
    const { text } = composeMessage({ messages: settings }, templateValues({ username: '{####}', code: '$&' }));
    assert.equal(text, '{####}: $&');
  });
});

describe('the texts of a pool', () => {
  it('are refused without a placeholder for the code, or if an SMS is too long or too short', () => {
    const rows: readonly [template: object, refusal: RegExp | undefined][] = [
      [{ subject: 'S', text: '{####}', sms: '{####}' }, undefined],
      [{ sms: `{####}${'x'.repeat(134)}` }, undefined],
      [{ sms: `{####}${'x'.repeat(135)}` }, /sms must have 6 to 140 characters/],
      [{ sms: 'Your code' }, /sms must hold \{####\}/],
      [{ text: 'Your code' }, /text must hold/],
      [{ html: '<p>' }, /html must hold/],
      [{ subject: 'a\r\nBcc: b' }, /subject must be one line/],
      [{ subject: '' }, /subject must be one line/],
    ];
    for (const [template, refusal] of rows) {
      const check = () => checkMessageSettings({ language: 'en', templates: { en: { mfa: template } } });
      if (refusal === undefined) check();
      else assert.throws(check, { name: 'RangeError', message: refusal });
    }
  });

  it('are refused for a notice without a placeholder for its link, or without other text', () => {
    const rows: readonly [kind: MessageKind, template: object, refusal: RegExp | undefined][] = [
      ['new_device', { text: 'A device\n\n{####}', sms: 'A device' }, undefined],
      ['new_device', { text: 'A device' }, /text must hold \{####\}/],
      ['new_device', { html: '<p>A device</p>' }, /html must hold \{####\}/],
      ['new_device', { text: 'A device {####}' }, /text must hold \{####\} in a separate paragraph/],
      ['new_device', { html: '<p>{####}</p>' }, undefined],
      ['new_device', { sms: 'A device {####}' }, /sms must not hold/],
      ['new_device', { sms: 'Hello' }, /sms must have 6 to 140 characters/],
      ['new_device', { sms: 'Hello!' }, undefined],
      ['sign_up_link', { text: 'Go {##here##}', html: '<p>{##Go##}</p>', sms: 'A link' }, undefined],
      ['sign_up_link', { text: 'Go here' }, /sign_up_link must hold \{##words##\}/],
      ['sign_up_link', { html: '<p>Go</p>' }, /sign_up_link must hold \{##words##\}/],
      ['sign_up_link', { text: 'Go {##here##} {####}' }, /text must not hold \{####\}/],
      ['sign_up_known', { text: 'You have an account', html: '<p>You have an account</p>' }, undefined],
      ['sign_up_known', { text: 'Open {####}' }, /text must not hold/],
    ];
    for (const [kind, template, refusal] of rows) {
      const check = () => checkMessageSettings({ language: 'en', templates: { en: { [kind]: template } } });
      if (refusal === undefined) check();
      else assert.throws(check, { name: 'RangeError', message: refusal });
    }
  });

  it('are refused under names that are never looked up', () => {
    const templates = { 'de-AT': {} };
    assert.throws(() => checkMessageSettings({ language: 'en', templates }), /de-AT must be named by a language tag/);
    assert.throws(() => checkMessageSettings({ language: 'English!', templates: {} }), /messages.language/);
    const unknown = { language: 'en', templates: { en: { farewell: {} } } } as MessageSettings;
    assert.throws(() => checkMessageSettings(unknown), /farewell is no kind of message/);
  });

  it('would be accepted if they are built in', () => {
    checkMessageSettings({ language: 'en', templates: LANGUAGES });
  });
});
