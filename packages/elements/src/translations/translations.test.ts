import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS } from '@poolgate/contract';
import { ENGLISH_TEXTS as EN } from '../testing/english.ts';
import { ACCOUNT_EN } from './account-en.ts';
import { EN as SIGN_IN_EN } from './en.ts';
import { FORMS_EN } from './forms-en.ts';
import { addLanguage, allLanguages, languageFor, loadTranslation } from './language-catalogue.ts';
import type { Messages } from './languages.ts';
import { formatMessage, type Message } from './message.ts';

const placeholders = (text: string): string => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted().join();
const listForms = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);

describe('the translations', () => {
  it('have a message for every error of the contract that pages meet, and none for a removed one', () => {
    // Only administrators get these, and they use no user page.
    const administrative = [
      'group_not_found',
      'admin_key_not_found',
      'webhook_not_found',
      'client_not_found',
      'client_secret_not_found',
      'resource_server_not_found',
      'domain_not_found',
      'precondition_failed',
    ];
    const met = Object.keys(ERRORS).filter((code) => !administrative.includes(code));
    const told = Object.keys(EN).filter((id) => id.startsWith('error.'));
    const ownCodes = [
      'unknown',
      'network',
      'waitSeconds',
      'waitMinutes',
      'wrongAddress',
      'cookiesMissing',
      'reference',
    ];
    assert.deepEqual(told.toSorted(), [...met, ...ownCodes].map((code) => `error.${code}`).toSorted());
  });

  for (const { tag, load, parts } of allLanguages())
    it(`are complete in ${tag}: every message, no empty one, the same placeholders, each plural of the language`, async () => {
      const [signIn, forms, account] = await Promise.all([load(), parts?.forms(), parts?.account()]);
      assert.deepEqual(Object.keys(forms?.messages ?? {}).toSorted(), Object.keys(FORMS_EN).toSorted());
      assert.deepEqual(Object.keys(account?.messages ?? {}).toSorted(), Object.keys(ACCOUNT_EN).toSorted());
      const messages = { ...signIn.messages, ...forms?.messages, ...account?.messages };
      assert.deepEqual(Object.keys(messages).toSorted(), Object.keys(EN).toSorted());
      for (const [id, message] of Object.entries(messages as Messages)) {
        const wanted = new Set(listForms(EN[id as keyof typeof EN]).map(placeholders));
        for (const form of listForms(message)) {
          assert.notEqual(form.trim(), '', id);
          const isCounted = typeof message !== 'string' && placeholders(form) === '';
          assert.ok(wanted.has(placeholders(form)) || isCounted, `${id}: ${form}`);
        }
        if (typeof message === 'string') assert.equal(typeof EN[id as keyof typeof EN], 'string', id);
        else assertPlurals(tag, id, message);
      }
    });

  it('count as the language counts', () => {
    const left: Message = { zero: 'none', one: '{count} code', other: '{count} codes' };
    assert.deepEqual(
      [0, 1, 2, 12_345].map((count) => formatMessage(left, { count }, 'en')),
      ['none', '1 code', '2 codes', '12,345 codes'],
    );
  });

  it('keep unknown placeholders, and insert text unchanged', () => {
    assert.equal(formatMessage('{a} {b}', { a: '<b>$&{b}</b>' }, 'en'), '<b>$&{b}</b> {b}');
  });

  it('find the language that a browser prefers', () => {
    assert.equal(languageFor(['de-AT', 'en']).tag, 'de');
    assert.equal(languageFor(['xx', 'FR']).tag, 'fr');
    assert.equal(languageFor(['xx']).tag, 'en');
    assert.equal(languageFor([]).tag, 'en');
  });

  it("load the account's texts when an element of it needs them, and no text twice", async () => {
    for (const language of allLanguages()) {
      const signIn = await loadTranslation(language);
      assert.deepEqual([signIn.has('signIn.title'), signIn.has('account.title')], [true, false], language.tag);
      const account = await loadTranslation(language, { 'account.parts': '' }, ['account']);
      assert.deepEqual([account.has('account.title'), account.text('account.parts')], [true, '']);
    }
    assert.equal(Object.keys(EN).length, [SIGN_IN_EN, FORMS_EN, ACCOUNT_EN].flatMap(Object.keys).length);
  });

  it("read an integrator's language from one file, and use English if it lacks a message", async () => {
    addLanguage({
      tag: 'nl',
      name: 'Nederlands',
      direction: 'ltr',
      load: async () => ({ messages: { 'common.save': 'Opslaan', 'account.title': 'Account' } }),
    });
    const { text } = await loadTranslation(languageFor(['nl-BE']), { 'common.cancel': 'Laat maar' }, ['account']);
    assert.deepEqual(
      [text('common.save'), text('common.cancel'), text('common.back'), text('account.title'), text('account.signOut')],
      ['Opslaan', 'Laat maar', 'Back', 'Account', 'Sign out'],
    );
  });

  it('are English if the file of a language cannot be loaded', async () => {
    const broken = {
      tag: 'sv',
      name: 'Svenska',
      direction: 'ltr',
      load: () => Promise.reject(new Error('offline')),
    } as const;
    const { language, text } = await loadTranslation(broken);
    assert.deepEqual([language, text('common.save')], ['en', 'Save']);
  });
});

function assertPlurals(tag: string, id: string, message: Exclude<Message, string>): void {
  const english = EN[id as keyof typeof EN];
  assert.notEqual(typeof english, 'string', id);
  // Millions and fractions, which have a separate form in some languages, are never counted here.
  const rules = new Intl.PluralRules(tag);
  const used = new Set(Array.from({ length: 121 }, (_, count) => rules.select(count)));
  used.delete('zero');
  for (const category of used) assert.ok(category in message, `${id} lacks ${category}`);
}
