import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addTestProvider, signInAtProvider, startLink } from '../testing/test-federation.ts';
import { startChoiceLogin } from '../testing/test-logins.ts';
import {
  addUser,
  createVerifiedEmail,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart } from '../testing/test-tokens.ts';

const MAPPING = { email: 'email', email_verified: 'email_verified', name: 'name' };
const RULE = { Attribute: 'email', TrustedClaim: 'email_verified' } as const;

describe('the user of an account at a provider', () => {
  let pool: TestPool;
  let client: { readonly ProviderName: string; readonly ClientId: string };
  let ruled: { readonly ProviderName: string; readonly ClientId: string };
  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const options = { ...opened.options, groupsWithoutLinkRule: ['admins'] };
    const settings = { usernameAttributes: [], requiredAttributes: [], aliasAttributes: ['email'] } as const;
    pool = await openTestPoolOn({ ...opened, options }, { pool: settings });
    client = { ProviderName: 'Corp', ClientId: await addTestProvider(pool, 'Corp', MAPPING) };
    ruled = { ProviderName: 'Ruled', ClientId: await addTestProvider(pool, 'Ruled', MAPPING) };
    const ids = { UserPoolId: pool.userPoolId, ProviderName: 'Ruled' };
    await federation().updateProvider({ ...ids, LinkRule: RULE }, TEST_CALL);
  });
  after(() => pool.close());

  const federation = () => pool.embedded.extensions.federation ?? assert.fail('no federation');
  const nowSeconds = () => Math.floor(pool.clock.now() / 1000);
  const ids = (Username: string) => ({ UserPoolId: pool.userPoolId, Username });
  async function readUser(username: string) {
    const { UserAttributes = [], ...user } = await pool.operations.adminGetUser(ids(username), TEST_CALL);
    const attributes = Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value ?? '']));
    return { ...user, attributes, identities: JSON.parse(attributes.identities ?? '[]') as { userId: string }[] };
  }
  async function usernameAt(at: typeof client, claims: Readonly<Record<string, unknown>>) {
    const { Tokens } = await signInAtProvider(pool, at, claims);
    return (await pool.operations.getUser({ AccessToken: Tokens.AccessToken ?? '' }, TEST_CALL)).Username;
  }
  async function addLocal(name: string, attributes: Readonly<Record<string, string>> = {}) {
    const username = await addUser(pool, name);
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    if (UserAttributes.length > 0) {
      await pool.operations.adminUpdateUserAttributes({ ...ids(name), UserAttributes }, TEST_CALL);
    }
    return username;
  }
  const verified = (name: string) =>
    Object.fromEntries(createVerifiedEmail(`${name}@corp.example`).map(({ Name, Value }) => [Name, Value]));
  const claimsOf = (name: string) => ({ sub: `s-${name}`, email: `${name}@corp.example`, email_verified: true });
  const logIn = async (username: string) =>
    (await loginByPassword(pool, username)).AuthenticationResult?.AccessToken ?? '';
  async function connect(username: string, claims: Readonly<Record<string, unknown>>, at = client) {
    const AccessToken = await logIn(username);
    const { attributes } = await readUser(username);
    const { answer } = await startLink(pool, at, attributes.sub ?? '', { auth_time: nowSeconds(), ...claims });
    return federation().link({ ...answer, AccessToken }, TEST_CALL);
  }

  it('is a separate user, although a local user has the same verified address', async () => {
    await addLocal('ann', verified('ann'));
    assert.equal(await usernameAt(client, claimsOf('ann')), 'corp_s-ann');
    assert.deepEqual((await readUser('ann')).identities, []);
  });

  it('cannot request a deletion with a grace period, which only a sign-in at the pool could end', async () => {
    const { Tokens } = await signInAtProvider(pool, client, claimsOf('amy'));
    const asked = pool.embedded.extensions.schedule_deletion?.({ AccessToken: Tokens.AccessToken ?? '' }, TEST_CALL);
    await assert.rejects(asked ?? assert.fail('no deletion'), { reason: 'feature_disabled' });
    assert.equal((await readUser('corp_s-amy')).Enabled, true);
  });

  it('is the user who connected it, and the owner gets a message', async () => {
    await addLocal('bea', verified('bea'));
    assert.equal(await connect('bea', { sub: 'b' }), 'linked');
    assert.equal(await usernameAt(client, { sub: 'b' }), 'bea');
    assert.match(pool.sent.at(-1)?.text ?? '', /account at another provider connected/);
    assert.equal(await connect('bea', { sub: 'b' }), 'in_use');
  });

  it('is connected only after a new sign-in there, or a choice of the account at Google', async () => {
    await addLocal('bob');
    const notRecent = { error: 'login_required' };
    await assert.rejects(connect('bob', { sub: 'prepared', auth_time: undefined }), notRecent);
    const google = { client_id: 'pool', client_secret: 'secret', authorize_scopes: 'email' };
    const ProviderDetails = { ...google, oidc_issuer: 'https://login.example.com' };
    const provider = { UserPoolId: pool.userPoolId, ProviderName: 'Google', ProviderType: 'Google' } as const;
    await pool.operations.createIdentityProvider({ ...provider, ProviderDetails }, TEST_CALL);
    const members = { UserPoolId: pool.userPoolId, ClientName: 'google', SupportedIdentityProviders: ['Google'] };
    const { UserPoolClient } = await pool.operations.createUserPoolClient(members, TEST_CALL);
    const at = { ProviderName: 'Google', ClientId: UserPoolClient?.ClientId ?? '' };
    assert.equal(await connect('bob', { sub: 'chosen', auth_time: undefined }, at), 'linked');
  });

  it('is not connected by the session of another user', async () => {
    await addLocal('cid');
    await addLocal('eve');
    const { attributes } = await readUser('cid');
    const { answer } = await startLink(pool, client, attributes.sub ?? '', { sub: 'c', auth_time: nowSeconds() });
    const AccessToken = await logIn('eve');
    assert.equal(await federation().link({ ...answer, AccessToken }, TEST_CALL), undefined);
    assert.equal(await usernameAt(client, { sub: 'c' }), 'corp_c');
  });

  it('is connected once, without signing in', async () => {
    await addLocal('dan');
    const AccessToken = await logIn('dan');
    const { attributes } = await readUser('dan');
    const { answer } = await startLink(pool, client, attributes.sub ?? '', { sub: 'd', auth_time: nowSeconds() });
    const finish = { ...answer, ClientId: pool.clientId, UnknownAgeSeconds: 901 };
    assert.equal(await federation().finish(finish, TEST_CALL), undefined);
    const links = await Promise.all([1, 2].map(() => federation().link({ ...answer, AccessToken }, TEST_CALL)));
    assert.deepEqual(links.map((outcome) => outcome ?? 'none').sort(), ['linked', 'none']);
  });

  it('stays the same: it cannot be connected to another user', async () => {
    await addLocal('fay');
    assert.equal(await usernameAt(client, { sub: 'taken' }), 'corp_taken');
    assert.equal(await connect('fay', { sub: 'taken' }), 'in_use');
    for (const sub of ['f1', 'f2', 'f3', 'f4', 'f5']) assert.equal(await connect('fay', { sub }), 'linked');
    assert.equal(await connect('fay', { sub: 'f6' }), 'too_many');
  });

  it('can be disconnected, which ends other sessions, but never if it is the last way to sign in', async () => {
    await addLocal('gus');
    await connect('gus', { sub: 'g' });
    const [own, other] = [await logIn('gus'), await logIn('gus')];
    const [identity] = await federation().listIdentities({ AccessToken: own }, TEST_CALL);
    const Id = identity?.Id ?? '';
    assert.deepEqual([identity?.ProviderName, identity?.IsPrimary], ['Corp', false]);
    const gone = { code: 'ResourceNotFoundException', reason: 'identity_not_found' };
    await assert.rejects(federation().removeIdentity({ AccessToken: own, Id: 'x'.repeat(22) }, TEST_CALL), gone);
    assert.deepEqual(await federation().removeIdentity({ AccessToken: own, Id }, TEST_CALL), { OwnEnded: false });
    await pool.operations.getUser({ AccessToken: own }, TEST_CALL);
    await assert.rejects(pool.operations.getUser({ AccessToken: other }, TEST_CALL), {
      code: 'NotAuthorizedException',
    });
    assert.equal(await usernameAt(client, { sub: 'g' }), 'corp_g', 'a user of its own from now on');
    await assert.rejects(federation().removeIdentity({ AccessToken: own, Id }, TEST_CALL), gone);
  });

  it('stays connected for a user who has no other way to sign in', async () => {
    const { Tokens } = await signInAtProvider(pool, client, { sub: 'h' });
    const lastWayIn = { reason: 'last_way_in' };
    const remove = async (AccessToken: string) => {
      const [identity] = await federation().listIdentities({ AccessToken }, TEST_CALL);
      return federation().removeIdentity({ AccessToken, Id: identity?.Id ?? '' }, TEST_CALL);
    };
    await assert.rejects(remove(Tokens.AccessToken ?? ''), lastWayIn);
    await addLocal('hal');
    await connect('hal', { sub: 'hal' });
    const User = { ProviderName: 'Cognito', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: 'hal' };
    await pool.operations.adminDisableProviderForUser({ UserPoolId: pool.userPoolId, User }, TEST_CALL);
    const again = await signInAtProvider(pool, client, { sub: 'hal' });
    await assert.rejects(remove(again.Tokens.AccessToken ?? ''), lastWayIn);
  });

  it('is the local user with the same verified address, if the provider has a rule and the trusted claim is true', async () => {
    await addLocal('ida', verified('ida'));
    assert.equal(await usernameAt(ruled, claimsOf('ida')), 'ida');
    assert.equal(await usernameAt(ruled, { sub: 's-ida' }), 'ida', 'linked by subject from then on');
    assert.match(pool.sent.at(-1)?.text ?? '', /account at another provider connected/);
    await addLocal('jan', verified('jan'));
    assert.equal(await usernameAt(ruled, { ...claimsOf('jan'), email_verified: 'true' }), 'jan');
  });

  it('is never linked by the rule if one side is not verified', async () => {
    await addLocal('kim', verified('kim'));
    for (const [sub, email_verified] of [
      ['k1', false],
      ['k2', 'false'],
      ['k3', undefined],
    ] as const) {
      assert.equal(await usernameAt(ruled, { ...claimsOf('kim'), sub, email_verified }), `ruled_${sub}`);
    }
    await addLocal('leo', { email: 'leo@corp.example', email_verified: 'false' });
    assert.equal(await usernameAt(ruled, claimsOf('leo')), 'ruled_s-leo');
    await addLocal('mia', verified('mia'));
    await pool.operations.adminDisableUser(ids('mia'), TEST_CALL);
    assert.equal(await usernameAt(ruled, claimsOf('mia')), 'ruled_s-mia');
    const sign = { ClientId: pool.clientId, Username: 'ned', Password: PASSWORD };
    const UserAttributes = [{ Name: 'email', Value: 'ned@corp.example' }];
    await pool.operations.signUp({ ...sign, UserAttributes }, TEST_CALL);
    assert.equal(await usernameAt(ruled, claimsOf('ned')), 'ruled_s-ned', 'a sign-up that waits prepares nothing');
  });

  it('is never linked by the rule to a member of an administrative group, or to one of several users', async () => {
    await addLocal('ops', verified('ops'));
    await pool.operations.createGroup({ UserPoolId: pool.userPoolId, GroupName: 'admins' }, TEST_CALL);
    await pool.operations.adminAddUserToGroup({ ...ids('ops'), GroupName: 'admins' }, TEST_CALL);
    assert.equal(await usernameAt(ruled, claimsOf('ops')), 'ruled_s-ops');
    await addLocal('pia', verified('pia'));
    await usernameAt(client, { ...claimsOf('pia'), sub: 'holder' });
    assert.equal(await usernameAt(ruled, claimsOf('pia')), 'ruled_s-pia');
  });

  it('is linked by the rule although strangers entered the address without verifying it', async () => {
    await addLocal('zoe', verified('zoe'));
    for (let i = 0; i < 21; i += 1) {
      await addLocal(`stranger${i}`, { email: 'zoe@corp.example', email_verified: 'false' });
    }
    assert.equal(await usernameAt(ruled, claimsOf('zoe')), 'zoe');
  });

  it('no longer signs in a user whom the rule linked and who became an administrator', async () => {
    await addLocal('ray', verified('ray'));
    await addLocal('sam');
    await connect('sam', { sub: 's-sam' }, ruled);
    assert.equal(await usernameAt(ruled, claimsOf('ray')), 'ray');
    const group = { UserPoolId: pool.userPoolId, GroupName: 'admins' };
    for (const name of ['ray', 'sam']) {
      await pool.operations.adminAddUserToGroup({ ...group, Username: name }, TEST_CALL);
    }
    await assert.rejects(usernameAt(ruled, claimsOf('ray')), { message: 'The account is no longer linked.' });
    assert.equal(await usernameAt(ruled, claimsOf('sam')), 'sam', 'the user made this link');
    await pool.operations.adminRemoveUserFromGroup({ ...group, Username: 'ray' }, TEST_CALL);
    assert.equal(await usernameAt(ruled, claimsOf('ray')), 'ray');
  });

  it('cannot be prepared by a local sign-up of its username, nor the reverse', async () => {
    const sign = { ClientId: pool.clientId, Username: 'corp_1', Password: PASSWORD };
    await assert.rejects(pool.operations.signUp(sign, TEST_CALL), { code: 'InvalidParameterException' });
    assert.equal(await usernameAt(client, { sub: '1' }), 'corp_1');
    await assert.rejects(loginByPassword(pool, 'corp_1'), { code: 'NotAuthorizedException' });
  });

  it("does not count the provider's proofs or their time: a step-up starts over", async () => {
    await addLocal('stu');
    await connect('stu', { sub: 'stu' });
    for (const more of [{}, { auth_time: Math.floor(pool.clock.now() / 1000) }]) {
      const claims = { sub: 'stu', amr: ['pwd', 'otp', 'swk', 'mfa'], ...more };
      const { Tokens } = await signInAtProvider(pool, client, claims);
      const toward = {
        ACCESS_TOKEN: Tokens.AccessToken ?? '',
        TARGET_ACR_VALUES: 'urn:cognito:loa:1',
        MAX_AGE: '1000',
      };
      const asked = await startChoiceLogin(pool, 'stu', toward);
      assert.equal(asked.AuthenticationResult, undefined);
      assert.equal(asked.ChallengeName, 'SELECT_CHALLENGE');
      pool.clock.advance(60_000);
      const proof = { ...toward, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD };
      const { AccessToken = '' } = (await startChoiceLogin(pool, 'stu', proof)).AuthenticationResult ?? {};
      const { amr, auth_time } = decodeTokenPart(AccessToken, 1);
      assert.deepEqual([amr, auth_time], [['pwd'], Math.floor(pool.clock.now() / 1000)]);
    }
  });

  it('is disconnected with everything that someone set up before the owner verified the address', async () => {
    await addLocal('qu', { email: 'qu@corp.example', email_verified: 'false' });
    await connect('qu', { sub: 'thief' });
    const auth = { ClientId: pool.clientId, AuthFlow: 'USER_AUTH' } as const;
    const AuthParameters = { USERNAME: 'qu', PREFERRED_CHALLENGE: 'EMAIL_OTP' };
    const started = await pool.operations.initiateAuth({ ...auth, AuthParameters }, TEST_CALL);
    const code = /\d{8}/.exec(pool.sent.at(-1)?.text ?? '')?.[0] ?? assert.fail('no code');
    const ChallengeResponses = { USERNAME: 'qu', EMAIL_OTP_CODE: code };
    const answer = { ClientId: pool.clientId, ChallengeName: 'EMAIL_OTP', Session: started.Session } as const;
    await pool.operations.respondToAuthChallenge({ ...answer, ChallengeResponses } as never, TEST_CALL);
    assert.deepEqual((await readUser('qu')).identities, []);
    assert.equal(await usernameAt(client, { sub: 'thief' }), 'corp_thief');
  });

  it('keeps its rule when Cognito’s API changes the provider, and a rule needs its attribute', async () => {
    const provider = { UserPoolId: pool.userPoolId, ProviderName: 'Ruled' };
    await pool.operations.updateIdentityProvider({ ...provider, IdpIdentifiers: ['ruled.example'] }, TEST_CALL);
    assert.deepEqual(await federation().findLinkRule(provider, TEST_CALL), RULE);
    const LinkRule = { Attribute: 'phone_number', TrustedClaim: 'phone_number_verified' } as const;
    const refused = { code: 'InvalidParameterException' };
    await assert.rejects(federation().updateProvider({ ...provider, LinkRule }, TEST_CALL), refused);
    await federation().updateProvider({ ...provider, LinkRule: null }, TEST_CALL);
    assert.equal(await federation().findLinkRule(provider, TEST_CALL), undefined);
  });
});
