import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectStartPage } from './start-page.ts';

const SESSION = '__Host-poolgate=c2Vzc2lvbg';

test('a browser with a session goes to its account, any other to the sign-in, and to neither if there is no such page', () => {
  const rows: readonly (readonly [names: readonly string[], cookie: string | undefined, target: string | undefined])[] =
    [
      [['login', 'account'], undefined, '/auth/login'],
      [['login', 'account'], 'other=1', '/auth/login'],
      [['login', 'account'], `a=b; ${SESSION}`, '/auth/account'],
      [['login', 'account'], `${SESSION}; ${SESSION}`, '/auth/login'],
      [['login', 'account'], '__Host-poolgate-login=x', '/auth/login'],
      [['login'], SESSION, '/auth/login'],
      [[], SESSION, undefined],
      [[], undefined, undefined],
    ];
  for (const [names, cookie, target] of rows) {
    const pages = { webPrefix: '/auth', has: (name: string) => names.includes(name) };
    assert.equal(selectStartPage(pages, cookie === undefined ? {} : { cookie }), target, `${names} ${cookie}`);
  }
});
