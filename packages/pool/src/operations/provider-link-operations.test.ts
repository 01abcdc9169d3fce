import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addTestProvider } from '../testing/test-federation.ts';
import { addUser, openTestPool, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';

const REFUSED = { code: 'InvalidParameterException' } as const;

describe('links between users and accounts at identity providers', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:', { pool: { usernameAttributes: [], requiredAttributes: [] } });
    const ProviderDetails = {
      client_id: 'pool',
      client_secret: 'secret',
      oidc_issuer: 'https://login.example.com',
      authorize_scopes: 'openid',
    };
    const AttributeMapping = { email: 'mail', email_verified: 'mail_verified', phone_number: 'phone' };
    const provider = { ProviderName: 'Corp', ProviderType: 'OIDC', AttributeMapping } as const;
    const { userPoolId: UserPoolId } = pool;
    await pool.operations.createIdentityProvider({ UserPoolId, ProviderDetails, ...provider }, TEST_CALL);
  });
  after(() => pool.close());

  const source = (value: string, attribute = 'Cognito_Subject') => ({
    ProviderName: 'Corp',
    ProviderAttributeName: attribute,
    ProviderAttributeValue: value,
  });
  function link(username: string, SourceUser: object) {
    const DestinationUser = { ProviderName: 'Cognito', ProviderAttributeValue: username };
    return pool.operations.adminLinkProviderForUser(
      { UserPoolId: pool.userPoolId, DestinationUser, SourceUser },
      TEST_CALL,
    );
  }
  async function readUser(Username: string) {
    const user = await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL);
    const { Value = '[]' } = user.UserAttributes?.find(({ Name }) => Name === 'identities') ?? {};
    return { status: user.UserStatus, identities: JSON.parse(Value) };
  }

  it('appear in the attribute identities until they are removed', async () => {
    await addUser(pool, 'ada');
    assert.deepEqual(await link('ada', source('1')), {});
    const { identities } = await readUser('ada');
    assert.equal(typeof identities[0].dateCreated, 'number');
    delete identities[0].dateCreated;
    const facts = { userId: '1', providerName: 'Corp', providerType: 'OIDC', issuer: null, primary: false };
    assert.deepEqual(identities, [facts]);
    const UserPoolId = pool.userPoolId;
    const items = [{ Name: 'identities', Value: '[]' }];
    const forged = { UserPoolId, Username: 'ada', UserAttributes: items };
    await assert.rejects(pool.operations.adminUpdateUserAttributes(forged, TEST_CALL), REFUSED);
    await pool.operations.adminDisableProviderForUser({ UserPoolId, User: source('1') }, TEST_CALL);
    assert.deepEqual((await readUser('ada')).identities, []);
    const again = pool.operations.adminDisableProviderForUser({ UserPoolId, User: source('1') }, TEST_CALL);
    await assert.rejects(again, { code: 'UserNotFoundException' });
  });

  it('belong to one user each, and a user has at most five', async () => {
    await addUser(pool, 'bob');
    await addUser(pool, 'eve');
    await link('bob', source('b1'));
    await assert.rejects(link('bob', source('b1')), { message: 'SourceUser is already linked to DestinationUser' });
    await assert.rejects(link('eve', source('b1')), { message: /^Merging is not currently supported/ });
    for (const value of ['b2', 'b3', 'b4']) await link('bob', source(value));
    await link('bob', source('bob@example.com', 'email'));
    await assert.rejects(link('bob', source('b6')), { code: 'LimitExceededException' });
  });

  it('are refused for an impossible account', async () => {
    await addUser(pool, 'cid');
    await assert.rejects(link('nobody', source('x')), { code: 'UserNotFoundException' });
    await assert.rejects(link('cid', { ...source('x'), ProviderName: 'Unknown' }), {
      code: 'ResourceNotFoundException',
    });
    await assert.rejects(link('cid', source('x', 'nickname')), REFUSED, 'it is not mapped');
    const unproven = { message: /only if the provider also maps phone_number_verified\.$/ };
    await assert.rejects(link('cid', source('+15551234567', 'phone_number')), unproven);
    await assert.rejects(link('cid', source('')), REFUSED);
    for (const value of ['a\u0000b', '\ud800', 'é'.repeat(1_025)]) {
      await assert.rejects(link('cid', source(value)), {
        ...REFUSED,
        message: `ProviderAttributeValue of SourceUser is not valid in user pool ${pool.userPoolId}.`,
      });
      const UserPoolId = pool.userPoolId;
      await assert.rejects(
        pool.operations.adminDisableProviderForUser({ UserPoolId, User: source(value) }, TEST_CALL),
        REFUSED,
      );
      const linked = { UserPoolId, DestinationUser: source(value), SourceUser: source('y') };
      await assert.rejects(pool.operations.adminLinkProviderForUser(linked, TEST_CALL), REFUSED);
    }
    const local = { ...source('ada'), ProviderName: 'Cognito' };
    await assert.rejects(link('cid', local), { message: /^Invalid SourceUser: Cognito users/ });
  });

  it('can be the only way left to sign in', async () => {
    await addUser(pool, 'dan');
    const UserPoolId = pool.userPoolId;
    const User = { ProviderName: 'Cognito', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: 'dan' };
    await assert.rejects(pool.operations.adminDisableProviderForUser({ UserPoolId, User }, TEST_CALL), REFUSED);
    await link('dan', source('dan@example.com', 'email'));
    const unused = pool.operations.adminDisableProviderForUser({ UserPoolId, User }, TEST_CALL);
    await assert.rejects(unused, REFUSED, 'nobody has signed in with that address yet');
    await link('dan', source('d'));
    await pool.operations.adminDisableProviderForUser({ UserPoolId, User }, TEST_CALL);
    const last = pool.operations.adminDisableProviderForUser({ UserPoolId, User: source('d') }, TEST_CALL);
    await assert.rejects(last, { message: /^User has no other linked identity/ });
    assert.equal((await readUser('dan')).identities.length, 1);
    assert.equal((await readUser('dan')).status, 'EXTERNAL_PROVIDER');
    const AuthParameters = { USERNAME: 'dan', PASSWORD };
    const flow = { UserPoolId, ClientId: pool.clientId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH', AuthParameters } as const;
    const wrong = { code: 'NotAuthorizedException', message: 'Incorrect username or password.' };
    await assert.rejects(pool.operations.adminInitiateAuth(flow, TEST_CALL), wrong);
    const reset = pool.operations.adminResetUserPassword({ UserPoolId, Username: 'dan' }, TEST_CALL);
    await assert.rejects(reset, { code: 'NotAuthorizedException' });
    const ids = { UserPoolId, Username: 'dan' };
    await assert.rejects(async () => pool.embedded.extensions.force_password_reset?.(ids, TEST_CALL), {
      code: 'NotAuthorizedException',
    });
  });

  it('cannot be blocked by someone who signs up with the username of an account first', async () => {
    const ClientId = pool.clientId;
    for (const Username of ['Corp_1', 'corp_x']) {
      const UserAttributes = [{ Name: 'email', Value: 'a@example.com' }];
      const signUp = pool.operations.signUp({ ClientId, Username, Password: PASSWORD, UserAttributes }, TEST_CALL);
      await assert.rejects(signUp, { message: 'Username must not begin with the name of an identity provider.' });
      const made = pool.operations.adminCreateUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL);
      await assert.rejects(made, REFUSED);
    }
    const many = Array.from({ length: 70 }, (_, at) => addUser(pool, `later_0${at}`));
    for (const [at, username] of (await Promise.all(many)).entries()) await link(username, source(`later ${at}`));
    await addUser(pool, 'later_1');
    const ProviderDetails = { client_id: 'x', oidc_issuer: 'https://login.example.com', authorize_scopes: 'openid' };
    const later = {
      UserPoolId: pool.userPoolId,
      ProviderName: 'Later',
      ProviderType: 'OIDC',
      ProviderDetails,
    } as const;
    await assert.rejects(pool.operations.createIdentityProvider(later, TEST_CALL), { message: /^The user later_1 / });
  });

  it('cannot be blocked by similar names, aliases, imports or migrations', async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const migrate = async () => ({ attributes: {} });
    const settings = {
      usernameAttributes: [],
      requiredAttributes: [],
      aliasAttributes: ['preferred_username'],
    } as const;
    const other = await openTestPoolOn({ ...opened, options: { ...opened.options, migrate } }, { pool: settings });
    const { operations, userPoolId: UserPoolId, embedded, clientId: ClientId } = other;
    await addTestProvider(other, 'Straße');
    const signUp = { ClientId, Username: 'ＳTRAßE_1', Password: PASSWORD };
    await assert.rejects(operations.signUp(signUp, TEST_CALL), { message: /^Username must not begin/ });
    await addUser(other, 'gil');
    const UserAttributes = [{ Name: 'preferred_username', Value: 'STRAßE_1' }];
    const alias = operations.adminUpdateUserAttributes({ UserPoolId, Username: 'gil', UserAttributes }, TEST_CALL);
    await assert.rejects(alias, { message: /^preferred_username must not begin/ });
    const made = operations.adminCreateUser({ UserPoolId, Username: 'hal', UserAttributes }, TEST_CALL);
    await assert.rejects(made, { message: /^preferred_username must not begin/ });
    const imported = await embedded.importUsers(UserPoolId, [
      { username: 'straße_1', attributes: {} },
      { username: 'ian', attributes: { preferred_username: 'straße_1' } },
      { username: 'straß_1', attributes: {} },
    ]);
    assert.deepEqual(
      imported.map(({ ok }) => ok),
      [false, false, true],
    );
    assert.equal(await describeOutcome(loginByPassword(other, 'straße_1')), 'Incorrect username or password.');
    assert.equal(await describeOutcome(loginByPassword(other, 'jan')), 'tokens');
    await other.close();
  });
});
