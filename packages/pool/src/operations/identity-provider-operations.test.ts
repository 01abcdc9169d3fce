import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import { TEST_CALL, type TestPool } from '../testing/test-pool.ts';

const OIDC_DETAILS = {
  client_id: 'pool',
  client_secret: 'secret-of-provider',
  oidc_issuer: 'https://login.example.com',
  authorize_scopes: 'openid email',
};
const REFUSED = { code: 'InvalidParameterException' } as const;

describe('the identity providers of a pool', () => {
  let pool: TestPool;
  let newEvents: TestEventPool['newEvents'];
  before(async () => {
    ({ pool, newEvents } = await openTestEventPool('sqlite::memory:'));
  });
  after(() => pool.close());

  function create(ProviderName: string, more: Partial<Input<'CreateIdentityProvider'>> = {}) {
    const { operations, userPoolId: UserPoolId } = pool;
    const provider = { ProviderType: 'OIDC', ProviderDetails: OIDC_DETAILS, ...more } as const;
    return operations.createIdentityProvider({ UserPoolId, ProviderName, ...provider }, TEST_CALL);
  }

  it('are created, described, listed, changed and deleted, each recorded', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const AttributeMapping = { email: 'mail' };
    const { IdentityProvider: made } = await create('Corp', { AttributeMapping, IdpIdentifiers: ['Corp.example'] });
    const { CreationDate, LastModifiedDate, ...facts } = made;
    assert.ok(CreationDate && LastModifiedDate);
    assert.deepEqual(facts, {
      UserPoolId,
      ProviderName: 'Corp',
      ProviderType: 'OIDC',
      ProviderDetails: { ...OIDC_DETAILS, attributes_request_method: 'GET', attributes_url_add_attributes: 'false' },
      AttributeMapping: { email: 'mail', username: 'sub' },
      IdpIdentifiers: ['Corp.example'],
    });
    const ids = { UserPoolId, ProviderName: 'Corp' };
    assert.deepEqual((await operations.describeIdentityProvider(ids, TEST_CALL)).IdentityProvider, made);
    const byDomain = { UserPoolId, IdpIdentifier: 'corp.EXAMPLE' };
    assert.deepEqual((await operations.getIdentityProviderByIdentifier(byDomain, TEST_CALL)).IdentityProvider, made);
    await assert.rejects(create('CORP'), { code: 'DuplicateProviderException' });
    await assert.rejects(create('Other', { IdpIdentifiers: ['corp.example'] }), REFUSED);
    const { client_secret: _, ...withoutSecret } = { ...OIDC_DETAILS, authorize_scopes: 'openid' };
    const change = { ...ids, ProviderDetails: withoutSecret, IdpIdentifiers: [] };
    const { IdentityProvider: changed } = await operations.updateIdentityProvider(change, TEST_CALL);
    assert.equal(changed.ProviderDetails?.client_secret, OIDC_DETAILS.client_secret, 'a secret that is left out stays');
    assert.equal(changed.ProviderDetails?.authorize_scopes, 'openid');
    assert.deepEqual(changed.AttributeMapping, made.AttributeMapping);
    await create('Another');
    const first = await operations.listIdentityProviders({ UserPoolId, MaxResults: 1 }, TEST_CALL);
    const NextToken = first.NextToken ?? '';
    const second = await operations.listIdentityProviders({ UserPoolId, MaxResults: 1, NextToken }, TEST_CALL);
    const names = [first, second].flatMap((page) => page.Providers.map(({ ProviderName }) => ProviderName));
    assert.deepEqual([names, second.NextToken], [['Another', 'Corp'], undefined]);
    assert.deepEqual(await operations.deleteIdentityProvider(ids, TEST_CALL), {});
    for (const gone of [
      operations.describeIdentityProvider(ids, TEST_CALL),
      operations.updateIdentityProvider(change, TEST_CALL),
      operations.deleteIdentityProvider(ids, TEST_CALL),
    ]) {
      await assert.rejects(gone, { code: 'ResourceNotFoundException', reason: 'identity_provider_not_found' });
    }
    const recorded = (await newEvents()).map(({ details }) => details.what);
    const made2 = 'identity_provider_made';
    assert.deepEqual(recorded.toSorted(), ['identity_provider', 'identity_provider_deleted', made2, made2]);
    await operations.deleteIdentityProvider({ UserPoolId, ProviderName: 'Another' }, TEST_CALL);
  });

  it('store their secrets encrypted', async () => {
    await create('Sealed');
    const record = await pool.store.identityProviders.byName(pool.userPoolId, 'Sealed');
    assert.ok(record && !JSON.stringify(record).includes(OIDC_DETAILS.client_secret));
  });

  it("get Cognito's additions for social ones, and never return Apple's key", async () => {
    const google = { client_id: 'g', client_secret: 's', authorize_scopes: 'openid email' };
    const { IdentityProvider } = await create('Google', { ProviderType: 'Google', ProviderDetails: google });
    assert.equal(IdentityProvider.ProviderDetails?.token_url, 'https://www.googleapis.com/oauth2/v4/token');
    assert.equal(IdentityProvider.ProviderDetails?.oidc_issuer, 'https://accounts.google.com');
    const apple = { client_id: 'a', team_id: 't', key_id: 'k', private_key: 'p', authorize_scopes: 'email name' };
    const made = await create('SignInWithApple', { ProviderType: 'SignInWithApple', ProviderDetails: apple });
    assert.ok(!('private_key' in (made.IdentityProvider.ProviderDetails ?? {})));
    const facebook = { client_id: 'f', client_secret: 's', authorize_scopes: 'email', api_version: 'v21.0' };
    const { IdentityProvider: book } = await create('Facebook', {
      ProviderType: 'Facebook',
      ProviderDetails: facebook,
    });
    assert.equal(book.ProviderDetails?.attributes_url, 'https://graph.facebook.com/v21.0/me?fields=');
    assert.equal(book.AttributeMapping?.username, 'id');
  });

  it('are refused for a wrong detail, name or mapping', async () => {
    const wrong: readonly Partial<Input<'CreateIdentityProvider'>>[] = [
      { ProviderType: 'SAML', ProviderDetails: { MetadataURL: 'https://x' } },
      { ProviderType: 'Google' },
      { ProviderDetails: { ...OIDC_DETAILS, authorize_scopes: 'email' } },
      { ProviderDetails: { ...OIDC_DETAILS, oidc_issuer: 'ldap://x' } },
      { ProviderDetails: { ...OIDC_DETAILS, oidc_issuer: 'https://user:pass@login.example.com' } },
      { ProviderDetails: { ...OIDC_DETAILS, oidc_issuer: 'https://x/.well-known/openid-configuration' } },
      { ProviderDetails: { ...OIDC_DETAILS, attributes_request_method: 'PUT' } },
      { ProviderDetails: { ...OIDC_DETAILS, unheard_of: 'x' } },
      { ProviderDetails: { client_id: 'x' } },
      { AttributeMapping: { username: 'email' } },
      { AttributeMapping: { sub: 'sub' } },
      { AttributeMapping: { identities: 'x' } },
      { AttributeMapping: { 'custom:missing': 'x' } },
      { AttributeMapping: { email: '' } },
      { IdpIdentifiers: ['a.example', 'A.example'] },
      { AcrMapping: { Level5: 'x' } },
      { AcrMapping: { Level1: 'x', Level2: 'x' } },
      { AcrMapping: { Level1: 'x y' } },
    ];
    for (const members of wrong) await assert.rejects(create('Wrong', members), REFUSED, JSON.stringify(members));
    await assert.rejects(create('COGNITO'), REFUSED);
    const saml = { ProviderType: 'SAML', ProviderDetails: {} } as const;
    await assert.rejects(create('Saml', saml), { message: 'SAML is not supported by this service.' });
  });

  it('are named by app clients, and removed from them when deleted', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    await create('Temporary');
    const members = { UserPoolId, ClientName: 'app', SupportedIdentityProviders: ['COGNITO', 'Temporary'] };
    const { UserPoolClient } = await operations.createUserPoolClient(members, TEST_CALL);
    assert.deepEqual(UserPoolClient?.SupportedIdentityProviders, ['COGNITO', 'Temporary']);
    const unknown = { ...members, SupportedIdentityProviders: ['Unknown'] };
    await assert.rejects(operations.createUserPoolClient(unknown, TEST_CALL), {
      message: `The provider Unknown does not exist for User Pool ${UserPoolId}.`,
    });
    await operations.deleteIdentityProvider({ UserPoolId, ProviderName: 'Temporary' }, TEST_CALL);
    const ids = { UserPoolId, ClientId: UserPoolClient?.ClientId ?? '' };
    const { UserPoolClient: after } = await operations.describeUserPoolClient(ids, TEST_CALL);
    assert.deepEqual(after?.SupportedIdentityProviders, ['COGNITO']);
  });
});

describe('the name of a new identity provider', () => {
  it('must not be the start of an existing username or alias, in any case', async (context) => {
    const { pool } = await openTestEventPool('sqlite::memory:', {
      pool: { usernameAttributes: [], aliasAttributes: ['preferred_username'] },
    });
    context.after(() => pool.close());
    const { operations, userPoolId: UserPoolId } = pool;
    const addUser = (Username: string, preferred_username: string) => {
      const UserAttributes = [
        { Name: 'email', Value: `${Username}@example.test` },
        { Name: 'preferred_username', Value: preferred_username },
      ];
      return operations.adminCreateUser({ UserPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' }, TEST_CALL);
    };
    await addUser('corp_1', 'ada');
    await addUser('bob', 'OTHER_2');
    const create = (ProviderName: string) =>
      operations.createIdentityProvider(
        { UserPoolId, ProviderName, ProviderType: 'OIDC', ProviderDetails: OIDC_DETAILS },
        TEST_CALL,
      );
    await assert.rejects(create('Corp'), { message: /^The user corp_1 already has a username that begins with corp_/ });
    await assert.rejects(create('Other'), {
      message: /^The user bob already has a preferred_username that begins with other_/,
    });
    await create('Third');
    // Full-width letters are the same name.
    await assert.rejects(create('ＴＨＩＲＤ'), { code: 'DuplicateProviderException' });
  });
});
