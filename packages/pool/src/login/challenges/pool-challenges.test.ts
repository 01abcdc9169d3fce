import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHALLENGES } from '@poolgate/provider';
import { CODE_GUESS_COUNTERS, type GuessableCode } from '../../proofs/lockouts/code-limits.ts';
import { createDefaultPoolSettings } from '../../settings/default-settings.ts';
import type { PoolSettings } from '../../store/pool-and-client-settings.ts';
import type { Challenge } from './challenge.ts';
import { listChallengesByCognitoName, listCognitoChallengeNames, POOL_CHALLENGES } from './pool-challenges.ts';

const SETTINGS: PoolSettings = {
  ...createDefaultPoolSettings('https://issuer.example', 'OPTIONAL'),
  webAuthn: {
    relyingPartyId: 'localhost',
    origins: ['http://localhost'],
    userVerification: 'preferred',
    factorConfiguration: 'SINGLE_FACTOR',
  },
};

const rows: readonly (readonly [string, Challenge])[] = Object.entries(POOL_CHALLENGES);

describe('the challenges of the pool', () => {
  it('are listed under their own names', () => {
    for (const [name, row] of rows) assert.equal(row.name, name);
  });

  it('with the same Cognito name are sent alike, so that the name alone shows where the session is', () => {
    for (const cognitoName of listCognitoChallengeNames(SETTINGS)) {
      const carriers = new Set(listChallengesByCognitoName(cognitoName).map(({ carrier }) => carrier));
      assert.equal(carriers.size, 1, cognitoName);
    }
    assert.deepEqual(
      listChallengesByCognitoName('EMAIL_OTP').map(({ name }) => name),
      ['EMAIL_MFA', 'EMAIL_OTP', 'EMAIL_SETUP'],
    );
    for (const name of ['EMAIL_MFA', 'CUSTOM_AUTH', 'constructor', '']) {
      assert.deepEqual(listChallengesByCognitoName(name), []);
    }
  });

  it('need Session exactly where the Cognito API says so, or a block', () => {
    for (const [name, { cognitoName, carrier }] of rows) {
      const { parameters, session } = CHALLENGES[cognitoName];
      const hasBlock = (parameters.required as readonly string[]).includes('SECRET_BLOCK');
      assert.equal(carrier !== 'session', hasBlock, name);
      if (session === 'optional') assert.equal(carrier, 'secretBlock', name);
    }
  });

  it('can be answered from a pending list only if the list can lead to them', () => {
    const choices: readonly string[] = CHALLENGES.SELECT_CHALLENGE.choices;
    for (const [name, row] of rows) if (row.answersChoice) assert.ok(choices.includes(name), name);
  });

  it('keep the session after a wrong code, and count the codes of a factor together', () => {
    for (const [name, { cognitoName, counter, spentBy }] of rows) {
      const isCode = CHALLENGES[cognitoName].answer.required.some((key) => key.endsWith('_CODE'));
      assert.equal(counter !== undefined && counter === CODE_GUESS_COUNTERS[name as GuessableCode], isCode, name);
      if (isCode) assert.equal(spentBy, 'success', name);
    }
  });

  it('consume the session before they check a signature', () => {
    const first = rows.filter(([, { spentBy }]) => spentBy === 'attempt').map(([name]) => name);
    // A trigger must not be called twice either.
    assert.deepEqual(first, ['CUSTOM_CHALLENGE', 'WEB_AUTHN']);
  });

  it('count nothing if nothing can be guessed, so that no one can lock out a user with a passkey', () => {
    assert.equal(POOL_CHALLENGES.WEB_AUTHN.counter, undefined);
  });

  it('appear where the settings let a login start with them', () => {
    const { webAuthn } = SETTINGS;
    assert.ok(webAuthn);
    const isMet = (settings: Partial<PoolSettings>) =>
      listCognitoChallengeNames({ ...SETTINGS, ...settings }).includes('WEB_AUTHN');
    const both = { ...webAuthn, factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION' } as const;
    assert.deepEqual(
      [
        isMet({}),
        isMet({ webAuthn: null }),
        isMet({ firstFactors: ['PASSWORD'] }),
        isMet({ mfaConfiguration: 'ON' }),
        isMet({ mfaConfiguration: 'ON', webAuthn: both }),
      ],
      [true, false, false, false, true],
    );
  });

  it('have separate counters, except the password, which is one secret in every flow', () => {
    const counters = rows.flatMap(([, { counter }]) => (counter === undefined ? [] : [counter.name]));
    const shared = new Set(counters.filter((name, at) => counters.indexOf(name) !== at));
    assert.deepEqual([...shared], ['password']);
  });
});
