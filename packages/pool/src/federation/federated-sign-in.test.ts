import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addTestProvider, signInAtProvider } from '../testing/test-federation.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool, type TestTrigger } from '../testing/test-triggers.ts';

const MAPPING = {
  email: 'email',
  email_verified: 'email_verified',
  name: 'name',
  nickname: 'employee',
  preferred_username: 'login',
};
const NO_LONGER_LINKED = { error: 'invalid_request', message: 'The account is no longer linked.' } as const;

describe('a sign-in at another identity provider', () => {
  const functions: Record<string, TestTrigger> = {};
  const triggers = createTestTriggers({ PreAuthentication: (event) => functions.PreAuthentication?.(event) ?? event });
  let pool: TestPool;
  let client: { readonly ProviderName: string; readonly ClientId: string };
  before(async () => {
    const settings = {
      usernameAttributes: [],
      requiredAttributes: [],
      aliasAttributes: ['preferred_username'],
    } as const;
    const arns = { PreAuthentication: formatTriggerArn('PreAuthentication') };
    pool = await openTriggeredPool('sqlite::memory:', triggers, arns, { pool: settings });
    client = { ProviderName: 'Corp', ClientId: await addTestProvider(pool, 'Corp', MAPPING) };
  });
  beforeEach(() => {
    delete functions.PreAuthentication;
  });
  after(() => pool.close());

  const signIn = (claims: Readonly<Record<string, unknown>>, more: Parameters<typeof signInAtProvider>[3] = {}) =>
    signInAtProvider(pool, client, claims, more);
  async function getUsername(signingIn: ReturnType<typeof signIn>) {
    const { Tokens } = await signingIn;
    return (await pool.operations.getUser({ AccessToken: Tokens.AccessToken ?? '' }, TEST_CALL)).Username;
  }
  const source = (ProviderAttributeName: string, ProviderAttributeValue: string) => ({
    ProviderName: 'Corp',
    ProviderAttributeName,
    ProviderAttributeValue,
  });
  function link(username: string, attribute: string, value: string) {
    const DestinationUser = { ProviderName: 'Cognito', ProviderAttributeValue: username };
    const SourceUser = source(attribute, value);
    return pool.operations.adminLinkProviderForUser(
      { UserPoolId: pool.userPoolId, DestinationUser, SourceUser },
      TEST_CALL,
    );
  }
  async function readAttributes(Username: string): Promise<Record<string, string | undefined>> {
    const ids = { UserPoolId: pool.userPoolId, Username };
    const { UserAttributes = [] } = await pool.operations.adminGetUser(ids, TEST_CALL);
    return Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
  }

  it('uses a link by address only if the provider says that the address is verified', async () => {
    await addUser(pool, 'alice');
    await link('alice', 'email', 'alice@corp.example');
    const email = 'alice@corp.example';
    for (const [sub, flag] of Object.entries({ m1: { email_verified: false }, m2: {} })) {
      assert.equal(await getUsername(signIn({ sub, email, ...flag })), `corp_${sub}`);
    }
    assert.equal(await getUsername(signIn({ sub: 'real', email, email_verified: true })), 'alice');
    assert.equal(await getUsername(signIn({ sub: 'real' })), 'alice', 'the link is by subject now');
  });

  it('proves a signed-in user only with an account of that user, and leaves no user, link or login of another one', async () => {
    const own = await signIn({ sub: 'still-here' });
    const { Username, UserAttributes = [] } = await pool.operations.getUser(
      { AccessToken: own.Tokens.AccessToken ?? '' },
      TEST_CALL,
    );
    assert.equal(Username, 'corp_still-here');
    const Sub = UserAttributes.find(({ Name }) => Name === 'sub')?.Value ?? '';
    const SignedInUser = { Purpose: 'step_up', Sub, Session: 'session' } as const;
    assert.equal(await getUsername(signIn({ sub: 'still-here' }, { SignedInUser })), 'corp_still-here');
    await addUser(pool, 'zoe');
    await link('zoe', 'nickname', 'Z-1');
    for (const claims of [{ sub: 'unknown' }, { sub: 'zoe-1', employee: 'Z-1' }]) {
      await assert.rejects(signIn(claims, { SignedInUser }), { error: 'invalid_request' });
    }
    const unknown = { UserPoolId: pool.userPoolId, Username: 'corp_unknown' };
    await assert.rejects(pool.operations.adminGetUser(unknown, TEST_CALL), { code: 'UserNotFoundException' });
    assert.equal(JSON.parse((await readAttributes('zoe')).identities ?? '[]').length, 0);
  });

  it('links an account by attribute only once, although two sign in at the same time', async () => {
    await addUser(pool, 'bob');
    await link('bob', 'nickname', 'B-1');
    const waiting: (() => void)[] = [];
    functions.PreAuthentication = async (event) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) for (const go of waiting) go();
      });
      return event;
    };
    const both = ['first', 'second'].map((sub) => signIn({ sub, employee: 'B-1' }));
    const results = await Promise.allSettled(both);
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    await assert.rejects(Promise.all(both), NO_LONGER_LINKED);
    const identities = JSON.parse((await readAttributes('bob')).identities ?? '[]');
    assert.equal(identities.length, 1);
  });

  it('is refused if the account is linked to another user in the meantime', async () => {
    await addUser(pool, 'carl');
    await addUser(pool, 'cora');
    await link('carl', 'nickname', 'C-1');
    functions.PreAuthentication = async (event) => {
      await link('cora', 'Cognito_Subject', 'c');
      return event;
    };
    await assert.rejects(signIn({ sub: 'c', employee: 'C-1' }), NO_LONGER_LINKED);
  });

  it('is refused if an administrator removes the link in the meantime', async () => {
    await addUser(pool, 'dan');
    await link('dan', 'Cognito_Subject', 'd');
    functions.PreAuthentication = async (event) => {
      const User = source('Cognito_Subject', 'd');
      await pool.operations.adminDisableProviderForUser({ UserPoolId: pool.userPoolId, User }, TEST_CALL);
      return event;
    };
    await assert.rejects(signIn({ sub: 'd' }), NO_LONGER_LINKED);
  });

  it('is refused if another user takes the username in the meantime', async () => {
    await addUser(pool, 'eve');
    await link('eve', 'Cognito_Subject', 'e');
    functions.PreAuthentication = async (event) => {
      await pool.operations.adminDeleteUser({ UserPoolId: pool.userPoolId, Username: 'eve' }, TEST_CALL);
      await addUser(pool, 'eve');
      return event;
    };
    await assert.rejects(signIn({ sub: 'e' }), NO_LONGER_LINKED);
  });

  it('is refused if the provider is deleted or removed from the client in the meantime', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const other = { ProviderName: 'Brief', ClientId: await addTestProvider(pool, 'Brief', MAPPING) };
    await signInAtProvider(pool, other, { sub: '1' });
    functions.PreAuthentication = async (event) => {
      const members = { UserPoolId, ClientId: other.ClientId, SupportedIdentityProviders: ['COGNITO'] };
      await operations.updateUserPoolClient(members, TEST_CALL);
      return event;
    };
    const left = { message: 'The identity provider is no longer available for this application.' };
    await assert.rejects(signInAtProvider(pool, other, { sub: '1' }), left);
    const members = { UserPoolId, ClientId: other.ClientId, SupportedIdentityProviders: ['Brief'] };
    await operations.updateUserPoolClient(members, TEST_CALL);
    functions.PreAuthentication = async (event) => {
      await operations.deleteIdentityProvider({ UserPoolId, ProviderName: 'Brief' }, TEST_CALL);
      return event;
    };
    const gone = { message: 'The identity provider is no longer available.' };
    await assert.rejects(signInAtProvider(pool, other, { sub: '1' }), gone);
  });

  it('verifies no address that the provider does not send in the same sign-in', async () => {
    await signIn({ sub: 'v', email: 'v@corp.example' });
    await signIn({ sub: 'v', email_verified: true });
    const { email, email_verified } = await readAttributes('corp_v');
    assert.deepEqual([email, email_verified], ['v@corp.example', 'false']);
  });

  it('does not change the aliases of a linked user of the pool', async () => {
    await addUser(pool, 'fay');
    await link('fay', 'Cognito_Subject', 'f');
    await signIn({ sub: 'f', login: 'alice', name: 'Fay' });
    const { preferred_username, name } = await readAttributes('fay');
    assert.deepEqual([preferred_username, name], [undefined, 'Fay']);
  });

  it('needs an ID and a time that can be stored', async () => {
    const wrong = ['', 'x'.repeat(256), 'a\u0000b', '\ud800', 2 ** 53, 1.5, true, undefined];
    for (const sub of wrong) await assert.rejects(signIn({ sub }), { error: 'server_error' }, String(sub));
    assert.equal(await getUsername(signIn({ sub: 2 ** 53 - 1 })), 'corp_9007199254740991');
    for (const auth_time of [-1, 1e300, Number.MAX_VALUE]) {
      assert.equal((await signIn({ sub: 'time', auth_time })).IsAuthTimeKnown, false);
    }
    const auth_time = pool.clock.now() / 1000 - 0.5;
    assert.equal((await signIn({ sub: 'time', auth_time })).IsAuthTimeKnown, true);
  });

  it('must be proven to be recent if an application requires it', async () => {
    const waits = { MustLogIn: true, Handle: 'handle' };
    await assert.rejects(signIn({ sub: 'g' }, waits), { error: 'login_required' });
    assert.equal((await signIn({ sub: 'g' }, { MustLogIn: true })).IsAuthTimeKnown, false);
    const nowSeconds = Math.floor(pool.clock.now() / 1000);
    await assert.rejects(signIn({ sub: 'g', auth_time: nowSeconds - 60 }, waits), { error: 'server_error' });
    assert.equal((await signIn({ sub: 'g', auth_time: nowSeconds }, waits)).IsAuthTimeKnown, true);
  });
});

forEachDatabase(({ name, create }) => {
  it(`parallel first sign-ins at a provider all succeed (${name})`, async () => {
    const pool = await openTestPool(await create(), { pool: { usernameAttributes: [], requiredAttributes: [] } });
    const client = { ProviderName: 'Corp', ClientId: await addTestProvider(pool, 'Corp') };
    const subjects = ['1', '2', '3', '4', '5', '6'];
    await Promise.all(subjects.map((sub) => signInAtProvider(pool, client, { sub })));
    const group = { UserPoolId: pool.userPoolId, GroupName: `${pool.userPoolId}_Corp` };
    const { Users = [] } = await pool.operations.listUsersInGroup(group, TEST_CALL);
    assert.equal(Users.length, subjects.length);
    await pool.close();
  });
});
