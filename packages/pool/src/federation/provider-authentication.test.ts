import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuthenticationMethods } from '../tokens/authentication-methods.ts';
import { describeProviderSignIn, toProviderAcrValues } from './provider-authentication.ts';

const MAPPED = { acrMapping: { Level1: 'silver', Level4: 'gold' } };

test('a provider is asked for its own names of the levels, in the order of the request', () => {
  assert.equal(toProviderAcrValues(MAPPED, [4, 3, 1]), 'gold silver');
  assert.equal(toProviderAcrValues(MAPPED, [3, 2]), undefined);
  assert.equal(toProviderAcrValues(MAPPED, []), undefined);
  assert.equal(toProviderAcrValues({}, [4]), undefined);
});

test('the level and the methods are those of the ID token', () => {
  for (const [idToken, level, methods] of [
    [{ acr: 'gold', amr: ['pwd', 'otp', 'mfa'] }, 4, 'fed pwd otp mfa'],
    [{ acr: 'silver' }, 1, 'fed'],
    [{ acr: 'unmapped' }, 1, 'fed'],
    [{ amr: ['face', 'pwd'] }, null, 'fed pwd'],
    [{ acr: '', amr: ['face'] }, null, 'fed'],
    [{ acr: 4, amr: 'pwd' }, null, 'fed'],
    [{}, null, 'fed'],
    [undefined, null, 'fed'],
  ] as const) {
    assert.deepEqual(
      describeProviderSignIn(MAPPED, { idToken }),
      { methods, level, acr: null },
      JSON.stringify(idToken),
    );
    assert.deepEqual(readAuthenticationMethods({ methods }), [], 'none of them is a proof made here');
  }
});
