import { test } from 'node:test';
import type { PoolgateElements } from './jsx.ts';

test('JSX knows the properties and events of every element', () => {
  const signIn: PoolgateElements['poolgate-sign-in'] = {
    className: 'narrow',
    appearance: { theme: 'dark' },
    flow: 'choice',
    'onpoolgate-signed-in': ({ detail }) => detail.user.email_verified,
  };
  // @ts-expect-error there is no such flow
  const wrong: PoolgateElements['poolgate-sign-in'] = { ...signIn, flow: 'none' };
  const account: PoolgateElements['poolgate-account'] = {
    // @ts-expect-error the event has no such member
    'onpoolgate-signed-out': ({ detail }) => detail.user,
  };
  return void [wrong, account];
});
