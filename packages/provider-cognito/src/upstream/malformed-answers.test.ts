import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Output, ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { type CognitoReply, startCognitoServer } from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider, type TestProvider } from '../testing/test-provider.ts';

const MARK = 'words-of-the-provider';

interface Act {
  readonly good: Readonly<Record<string, unknown>>;
  readonly run: (provider: TestProvider) => Promise<unknown>;
  /** Fails if the result does not have the form of the port. */
  readonly check: (output: unknown) => void;
}

const isText = (value: unknown) => value === undefined || typeof value === 'string';
const areTexts = (values: object | undefined) =>
  Object.values(values ?? {}).every((value) => typeof value === 'string');

const LOGIN: Act = {
  good: {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: { SALT: 'ab', SRP_B: 'cd', SECRET_BLOCK: 'ZQ==', USERNAME: 'u', USER_ID_FOR_SRP: 'u' },
    Session: 'a-session-of-twenty-characters',
    AuthenticationResult: {
      AccessToken: 'a.b.c',
      ExpiresIn: 3_600,
      NewDeviceMetadata: { DeviceKey: 'k', DeviceGroupKey: 'g' },
    },
  },
  run: ({ operations }) =>
    operations.initiateAuth(
      { ClientId: CLIENT_ID, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'u', SRP_A: 'a' } },
      CALL,
    ),
  check(output) {
    const { ChallengeName, ChallengeParameters, Session, AuthenticationResult } = output as Output<'InitiateAuth'>;
    assert.ok(isText(ChallengeName) && isText(Session) && areTexts(ChallengeParameters));
    const { AccessToken, ExpiresIn, NewDeviceMetadata }: Record<string, unknown> = AuthenticationResult ?? {};
    assert.ok(isText(AccessToken) && areTexts(NewDeviceMetadata as object | undefined));
    assert.ok(ExpiresIn === undefined || Number.isFinite(ExpiresIn));
    assert.ok(ChallengeName !== undefined || AccessToken !== undefined);
  },
};
const DEVICES: Act = {
  good: {
    Devices: [{ DeviceKey: 'k', DeviceAttributes: [{ Name: 'n', Value: 'v' }], DeviceCreateDate: 1_715_100_742.022 }],
    PaginationToken: 'next',
  },
  run: ({ operations }) => operations.listDevices({ AccessToken: 'a.b.c' }, CALL),
  check(output) {
    const { Devices = [], PaginationToken } = output as {
      Devices?: Record<string, never>[];
      PaginationToken?: unknown;
    };
    assert.ok(isText(PaginationToken));
    for (const { DeviceKey, DeviceAttributes = [], DeviceCreateDate = 0 } of Devices) {
      assert.ok(isText(DeviceKey) && Number.isFinite(DeviceCreateDate));
      for (const attribute of DeviceAttributes) assert.ok(areTexts(attribute));
    }
  },
};
const USER: Act = {
  good: { Username: 'u', UserAttributes: [{ Name: 'email', Value: 'e' }], UserMFASettingList: ['SMS_MFA'] },
  run: ({ operations }) => operations.getUser({ AccessToken: 'a.b.c' }, CALL),
  check(output) {
    const { Username, UserAttributes, UserMFASettingList = [] } = output as Record<string, never[]>;
    assert.equal(typeof Username, 'string');
    for (const attribute of UserAttributes ?? assert.fail()) assert.ok(areTexts(attribute));
    assert.ok(areTexts(UserMFASettingList));
  },
};

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    MARK,
    '',
    { toString: 1, valueOf: 2 },
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [[]],
    { [MARK]: MARK },
    ['a', null],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const names = fc.constantFrom<unknown>(
  'NotAuthorizedException',
  'InternalErrorException',
  '__proto__',
  'constructor',
  MARK,
  'a#b',
  '',
);
const status = fc.constantFrom(200, 200, 200, 200, 201, 204, 302, 400, 404, 418, 429, 500, 503);

/** A reply with one member replaced, removed or added, with bytes cut, or that is not JSON. */
function mutated(good: object): fc.Arbitrary<CognitoReply> {
  const text = JSON.stringify(good);
  const swapped = fc.tuple(fc.nat(), junk, fc.boolean()).map(([at, value, remove]) => swap(good, at, value, remove));
  const cut = fc.nat(text.length).map((end) => text.slice(0, end));
  const dirty = fc
    .tuple(fc.nat(text.length), fc.string())
    .map(([at, more]) => text.slice(0, at) + more + text.slice(at));
  const failure = fc
    .record({ __type: fc.oneof(names, junk), message: fc.oneof(fc.constant(MARK), junk) })
    .map((error) => JSON.stringify(error));
  const body = fc.oneof(
    { weight: 5, arbitrary: swapped },
    cut,
    dirty,
    failure,
    junk.map((value) => JSON.stringify(value)),
  );
  const reply = fc.record({ status, body });
  return fc.oneof({ weight: 12, arbitrary: reply }, fc.constantFrom<CognitoReply>('reset', 'cut'));
}

/** The text of a value in which the `at`-th member is replaced or removed. */
function swap(good: object, at: number, value: unknown, remove: boolean): string {
  let members = 0;
  const counted: string = JSON.stringify(good, (_key, member: unknown) => {
    members += 1;
    return member;
  });
  // The first member is the whole value, which other replies replace.
  let left = 1 + (at % (members - 1));
  return JSON.stringify(JSON.parse(counted), (_key, member: unknown) => {
    left -= 1;
    if (left !== -1) return member;
    return remove ? undefined : value;
  });
}

const CODES = new Set(['InternalErrorException', 'TooManyRequestsException', 'NotAuthorizedException']);
const REASONS = new Set([undefined, 'provider_unavailable', 'provider_unknown', 'provider_timeout']);

test('an invalid response becomes an error or the form of the port, and nothing of it leaks', async () => {
  await using server = await startCognitoServer();
  // One attempt and no breaker, so that every reply is processed.
  using provider = openTestProvider(server.url, {
    limits: {
      tries: 1,
      breakerLeast: 1_000_000,
      breakerOutcomes: 1,
      quotas: { UserRead: 1e5, UserAuthentication: 1e5, UserResourceRead: 1e5 },
    },
  });
  const acts = fc.constantFrom(LOGIN, DEVICES, USER);
  const cases = acts.chain((act) => mutated(act.good).map((reply) => ({ act, reply })));
  await fc.assert(
    fc.asyncProperty(cases, async ({ act, reply }) => {
      server.setReply(() => reply);
      try {
        act.check(await act.run(provider));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        assert.ok(CODES.has(error.code), error.code);
        assert.ok(REASONS.has(error.reason), String(error.reason));
        const { cause, ...shown } = error;
        assert.ok(cause instanceof Error);
        assert.doesNotMatch(inspect({ ...shown, text: error.message }), new RegExp(MARK));
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(server.receivedRequests.length >= 300);
});
