import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Brands } from './brand/brands.ts';
import { openPages } from './open-pages.ts';

const brands = new Brands({ file: undefined, findPoolOfClient: async () => undefined, assets: '/cognito/assets/' });
const PAGES = openPages({ appName: 'Example', signInFlow: 'choice', prefix: '/cognito', isDevelopment: false, brands });
const SCOPE = { userPoolId: 'us-east-1_abc', clientId: 'client1' };

/** The names of the files that a page in a language loads. */
const listFiles = async (page: string, language: string) => {
  const shells = await PAGES.shells(page, SCOPE);
  const shell = shells.find((one) => one.language === language) ?? assert.fail(language);
  return [...shell.html({}).matchAll(/\/cognito\/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
};

test('pages with a separate route have no name among the others', () => {
  assert.deepEqual(PAGES.names, ['login', 'register', 'verify', 'forgot', 'reset', 'account']);
});

test('every file that a page names is served with its media type, compressed once', async () => {
  const types: Readonly<Record<string, string>> = {
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml',
  };
  const names = await listFiles('account', 'de');
  assert.ok(names.length > 5);
  for (const name of names) {
    const file = (await PAGES.file(name)) ?? assert.fail(name);
    assert.equal(file.type, types[name.split('.').at(-1) ?? ''], name);
    const bytes = Buffer.from(file.bytes);
    assert.ok(brotliDecompressSync(file.encoded.br).equals(bytes));
    assert.ok(gunzipSync(file.encoded.gzip).equals(bytes));
    assert.equal(await PAGES.file(name), file);
  }
  assert.equal(await PAGES.file('none.js'), undefined);
  assert.equal(await PAGES.shells('login', SCOPE), await PAGES.shells('login', SCOPE));
});

test('a page names only its own scripts and the texts of its language', async () => {
  const [english, german] = [await listFiles('login', 'en'), await listFiles('login', 'de')];
  const onlyGerman = german.filter((name) => !english.includes(name));
  assert.equal(onlyGerman.length, 1);
  const onlyEnglish = english.filter((name) => !german.includes(name));
  assert.equal(onlyEnglish.length, 1, 'German does without the words of English');
  const account = await listFiles('account', 'de');
  const onlyAccount = account.filter((name) => !german.includes(name));
  assert.ok(onlyAccount.length > 0);
});
