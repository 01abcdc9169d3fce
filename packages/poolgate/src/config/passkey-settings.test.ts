import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { dependsOnPort, toDesiredAddresses, toDesiredPasskeySettings } from '../providers/desired-pool-settings.ts';
import { readConfiguration } from './configuration.ts';
import { ConfigurationError, formatProblem } from './configuration-error.ts';
import type { Environment } from './setting-sources.ts';

const SECRET = 'correct-horse-battery-staple-0123456789';

function listProblems(environment: Environment): readonly string[] {
  try {
    readConfiguration({ POOLGATE_SECRET: SECRET, ...environment });
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems.map(formatProblem);
  }
  return [];
}

function readDesiredSettings(environment: Environment, listeningAt?: string) {
  return toDesiredPasskeySettings(readConfiguration({ POOLGATE_SECRET: SECRET, ...environment }), listeningAt);
}

const at = (relyingPartyId: string, ...origins: readonly string[]) => ({ webAuthn: { relyingPartyId, origins } });

describe('the relying party', () => {
  it('is the host of the service by default', () => {
    assert.deepEqual(readDesiredSettings({}), at('localhost', 'http://localhost:3000'));
    assert.deepEqual(readDesiredSettings({ PORT: '8080' }), at('localhost', 'http://localhost:8080'));
    const BASE_URL = 'https://login.example.com';
    assert.deepEqual(readDesiredSettings({ BASE_URL }), at('login.example.com', BASE_URL));
    assert.deepEqual(readDesiredSettings({ BASE_URL, IDP_RP_ID: 'example.com' }), at('example.com', BASE_URL));
  });

  it('is known with PORT=0 once the service listens', () => {
    assert.deepEqual(readDesiredSettings({ PORT: '0' }), {});
    assert.deepEqual(
      readDesiredSettings({ PORT: '0' }, 'http://localhost:49152'),
      at('localhost', 'http://localhost:49152'),
    );
  });

  it('is missing if passkeys are off, or browsers cannot create them', () => {
    assert.deepEqual(readDesiredSettings({ IDP_ALLOW_PASSKEYS: 'false' }), { webAuthn: null });
    for (const BASE_URL of [
      'http://127.0.0.1:3000',
      'https://10.0.0.1',
      'http://login.example.com',
      'https://intranet',
    ]) {
      assert.deepEqual(readDesiredSettings({ BASE_URL }), { webAuthn: null }, BASE_URL);
    }
  });

  it('is as configured: several origins, also of applications', () => {
    const app = `android:apk-key-hash:${'A'.repeat(43)}`;
    const environment = { IDP_RP_ID: 'example.com', IDP_ORIGINS: `https://a.example.com, https://example.com,${app}` };
    assert.deepEqual(
      readDesiredSettings(environment),
      at('example.com', 'https://a.example.com', 'https://example.com', app),
    );
  });

  it('is refused with a reason if it does not match the origins', () => {
    const BASE_URL = 'https://login.example.com';
    const cases: readonly (readonly [Environment, RegExp])[] = [
      [{ BASE_URL, IDP_RP_ID: '127.0.0.1' }, /^IDP_RP_ID: "127.0.0.1" is an IP address, and passkeys belong to names;/],
      [{ BASE_URL, IDP_RP_ID: 'com' }, /^IDP_RP_ID: "com" is a name without a dot/],
      [
        { BASE_URL, IDP_RP_ID: 'example.org' },
        /^IDP_ORIGINS: "https:\/\/login.example.com" is neither at the relying party example.org nor below it; allowed: /,
      ],
      [{ BASE_URL, IDP_ORIGINS: 'http://login.example.com' }, /^IDP_ORIGINS: .* is not https, and not on localhost;/],
      [
        { BASE_URL, IDP_ORIGINS: `${BASE_URL},https://evilexample.com` },
        /^IDP_ORIGINS: "https:\/\/evilexample.com" is/,
      ],
      [{ BASE_URL, IDP_ORIGINS: `${BASE_URL}/` }, /^IDP_ORIGINS: .* is not an origin as browsers write it;/],
      [{ BASE_URL, IDP_ORIGINS: 'android:apk-key-hash:x' }, /^IDP_ORIGINS: "android:apk-key-hash:x" is/],
      [{ IDP_RP_ID: 'example.com', PORT: '0' }, /^IDP_ORIGINS: is missing. It is required because IDP_RP_ID is set;/],
      [
        { BASE_URL: 'https://10.0.0.1', IDP_RP_ID: 'example.com' },
        /^IDP_ORIGINS: is missing. It is required because IDP_RP_ID is set;/,
      ],
      [
        { BASE_URL: 'https://10.0.0.1', IDP_ORIGINS: 'https://example.com' },
        /^IDP_RP_ID: is missing. It is required because IDP_ORIGINS is set;/,
      ],
    ];
    for (const [environment, line] of cases) {
      const problems = listProblems(environment);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', line);
      const { IDP_RP_ID } = environment;
      const isWellFormed = IDP_RP_ID === undefined || /[a-z]\./.test(IDP_RP_ID);
      if (isWellFormed) assert.deepEqual(listProblems({ ...environment, IDP_ALLOW_PASSKEYS: 'false' }), []);
    }
  });
});

describe('how passkeys count', () => {
  it('stays the same in the pool by default, and otherwise is as configured', () => {
    const said = {
      IDP_PASSKEY_USER_VERIFICATION: 'required',
      IDP_PASSKEY_FACTOR_CONFIGURATION: 'SINGLE_FACTOR',
    };
    const place = at('localhost', 'http://localhost:3000').webAuthn;
    assert.deepEqual(readDesiredSettings({}).webAuthn, place);
    assert.deepEqual(readDesiredSettings(said).webAuthn, {
      ...place,
      userVerification: 'required',
      factorConfiguration: 'SINGLE_FACTOR',
    });
    // An explicit value counts, even if it equals the default.
    const back = { IDP_PASSKEY_USER_VERIFICATION: 'preferred' };
    assert.deepEqual(readDesiredSettings(back).webAuthn, { ...place, userVerification: 'preferred' });
  });

  it('is refused in other words, and if no login could start with a passkey', () => {
    const cases: readonly (readonly [Environment, RegExp])[] = [
      [
        { IDP_PASSKEY_USER_VERIFICATION: 'discouraged' },
        /^IDP_PASSKEY_USER_VERIFICATION: .*allowed: preferred, required/,
      ],
      [{ IDP_PASSKEY_FACTOR_CONFIGURATION: 'single' }, /^IDP_PASSKEY_FACTOR_CONFIGURATION: .*SINGLE_FACTOR/],
      [
        { IDP_PASSKEY_FACTOR_CONFIGURATION: 'SINGLE_FACTOR', IDP_MFA_SETUP: 'ON' },
        /^IDP_PASSKEY_FACTOR_CONFIGURATION: is SINGLE_FACTOR, but with IDP_MFA_SETUP=ON no login could then start/,
      ],
    ];
    for (const [environment, line] of cases) {
      const problems = listProblems(environment);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', line);
    }
  });
});

test("the links of mails open the service's address, which with PORT=0 is known once it listens", () => {
  const readNotMeUrl = (environment: Environment, listeningAt?: string) =>
    toDesiredAddresses(readConfiguration({ POOLGATE_SECRET: SECRET, ...environment }), listeningAt).notMeUrl;
  assert.equal(readNotMeUrl({}), 'http://localhost:3000/cognito/not-me');
  assert.equal(readNotMeUrl({ BASE_URL: 'https://login.example.com' }), 'https://login.example.com/cognito/not-me');
  assert.equal(readNotMeUrl({ PORT: '0' }), undefined);
  assert.equal(readNotMeUrl({ PORT: '0' }, 'http://localhost:49152'), 'http://localhost:49152/cognito/not-me');
  assert.equal(dependsOnPort(readConfiguration({ PORT: '0' })), true);
  assert.equal(dependsOnPort(readConfiguration({ PORT: '0', BASE_URL: 'http://localhost:1' })), false);
});
