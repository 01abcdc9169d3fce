import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addTestProvider, signInAtProvider } from '../testing/test-federation.ts';
import { addUser, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool, type TestTrigger } from '../testing/test-triggers.ts';

const NAMES = ['PreSignUp', 'PostConfirmation', 'PreAuthentication', 'PostAuthentication', 'PreTokenGeneration'];

describe('the triggers of a sign-in at another identity provider', () => {
  const functions: Record<string, TestTrigger> = {};
  const triggers = createTestTriggers(
    Object.fromEntries(
      [...NAMES, 'InboundFederation'].map((name) => [name, (event) => functions[name]?.(event) ?? event]),
    ),
  );
  let pool: TestPool;
  let client: { readonly ProviderName: string; readonly ClientId: string };
  before(async () => {
    const config = Object.fromEntries([...NAMES, 'InboundFederation'].map((name) => [name, formatTriggerArn(name)]));
    pool = await openTriggeredPool('sqlite::memory:', triggers, config);
    client = { ProviderName: 'Corp', ClientId: await addTestProvider(pool, 'Corp') };
  });
  beforeEach(() => {
    for (const name of Object.keys(functions)) delete functions[name];
    triggers.takeEvents();
  });
  after(() => pool.close());

  const sources = () => triggers.takeEvents().map(({ triggerSource }) => triggerSource);
  const signIn = (claims: Readonly<Record<string, unknown>>) => signInAtProvider(pool, client, claims);

  it("are called in Cognito's order, at the first sign-in and at later ones", async () => {
    await signIn({ sub: '1', email: 'one@example.com' });
    assert.deepEqual(sources(), [
      'InboundFederation_ExternalProvider',
      'PreSignUp_ExternalProvider',
      'PostConfirmation_ConfirmSignUp',
      'TokenGeneration_HostedAuth',
    ]);
    await signIn({ sub: '1', email: 'one@example.com' });
    assert.deepEqual(sources(), [
      'InboundFederation_ExternalProvider',
      'PreAuthentication_Authentication',
      'PostAuthentication_Authentication',
      'TokenGeneration_HostedAuth',
    ]);
  });

  it('choose the claims, and receive no token of the provider', async () => {
    functions.InboundFederation = (event) => {
      assert.ok(!JSON.stringify(event).includes('token-of-provider'));
      assert.equal(event.userName, '2');
      return { ...event, response: { userAttributesToMap: { email: 'two@example.com', name: 'Chosen' } } };
    };
    await signIn({ sub: '2', email: 'other@example.com', name: 'Claimed' });
    const ids = { UserPoolId: pool.userPoolId, Username: 'corp_2' };
    const { UserAttributes = [] } = await pool.operations.adminGetUser(ids, TEST_CALL);
    const value = (wanted: string) => UserAttributes.find(({ Name }) => Name === wanted)?.Value;
    assert.deepEqual([value('email'), value('name')], ['two@example.com', 'Chosen']);
  });

  it('create no user if PreSignUp refuses, and the application gets the reason', async () => {
    functions.PreSignUp = () => {
      throw new Error('not from here');
    };
    await assert.rejects(signIn({ sub: '3', email: 'three@example.com' }), {
      name: 'OAuthError',
      error: 'invalid_request',
      message: 'PreSignUp failed with error not from here.',
    });
    const ids = { UserPoolId: pool.userPoolId, Username: 'corp_3' };
    await assert.rejects(pool.operations.adminGetUser(ids, TEST_CALL), { code: 'UserNotFoundException' });
  });

  it('link an account inside PreSignUp, which succeeds at the first attempt', async () => {
    const username = await addUser(pool, 'four@example.com');
    functions.PreSignUp = async (event) => {
      const link = {
        UserPoolId: pool.userPoolId,
        DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: username },
        SourceUser: { ProviderName: 'Corp', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: '4' },
      };
      await pool.operations.adminLinkProviderForUser(link, TEST_CALL);
      return event;
    };
    const { Tokens } = await signIn({ sub: '4', email: 'four@example.com' });
    const user = await pool.operations.getUser({ AccessToken: Tokens.AccessToken ?? '' }, TEST_CALL);
    assert.equal(user.Username, username);
  });

  it('refuse the first sign-in of an account that a rule would link, and nothing is linked', async () => {
    const username = await addUser(pool, 'six@example.com');
    const claims = { sub: '6', email: 'six@example.com', email_verified: true };
    const mapping = { email: 'email', email_verified: 'email_verified' };
    const ruled = { ProviderName: 'Ruled', ClientId: await addTestProvider(pool, 'Ruled', mapping) };
    const LinkRule = { Attribute: 'email', TrustedClaim: 'email_verified' } as const;
    const provider = { UserPoolId: pool.userPoolId, ProviderName: 'Ruled' };
    await pool.embedded.extensions.federation?.updateProvider({ ...provider, LinkRule }, TEST_CALL);
    const listLinks = () => pool.store.federatedIdentities.listOf(pool.userPoolId, username);
    for (const name of ['PreSignUp', 'PreAuthentication']) {
      functions[name] = () => {
        throw new Error('not from here');
      };
      await assert.rejects(signInAtProvider(pool, ruled, claims), { error: 'invalid_request' }, name);
      assert.deepEqual(await listLinks(), [], name);
      delete functions[name];
    }
    triggers.takeEvents();
    await signInAtProvider(pool, ruled, claims);
    assert.deepEqual(sources().slice(0, 3), [
      'InboundFederation_ExternalProvider',
      'PreSignUp_ExternalProvider',
      'PreAuthentication_Authentication',
    ]);
    assert.equal((await listLinks()).length, 1);
  });

  it('end a login for which they refuse tokens', async () => {
    functions.PreTokenGeneration = () => {
      throw new Error('no tokens');
    };
    await assert.rejects(signIn({ sub: '5', email: 'five@example.com' }), { error: 'invalid_request' });
    const { rows } = await pool.store.logins.listActive(pool.userPoolId, 'corp_5', pool.clock.now(), 10, undefined);
    assert.deepEqual(rows, []);
  });
});
