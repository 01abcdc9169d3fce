import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { OPERATIONS } from '@poolgate/provider';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const PASSWORD = 'Correct-Horse1!';
const NEW_PASSWORD = 'A-New-Horse2!';

describe('the unmodified AWS SDK manages accounts', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  /** The operations with at least one successful response. */
  let answered: ReadonlySet<string>;
  before(async () => {
    service = await startClientService();
    ({ client, answered } = createSdkClient(service));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  const toPoolUser = (Username: string) => ({ UserPoolId: service.userPoolId, Username });
  const ofClient = (Username: string) => ({ ClientId: service.clientId, Username });

  async function addUser(email: string, attributes: aws.AttributeType[] = []): Promise<string> {
    const made = await client.send(
      new aws.AdminCreateUserCommand({
        ...toPoolUser(email),
        MessageAction: 'SUPPRESS',
        UserAttributes: [{ Name: 'email', Value: email }, { Name: 'email_verified', Value: 'true' }, ...attributes],
      }),
    );
    await client.send(
      new aws.AdminSetUserPasswordCommand({ ...toPoolUser(email), Password: PASSWORD, Permanent: true }),
    );
    return made.User?.Username ?? '';
  }

  async function logIn(email: string, password = PASSWORD): Promise<string> {
    const { AuthenticationResult } = await client.send(
      new aws.InitiateAuthCommand({
        ClientId: service.clientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    );
    assert.ok(AuthenticationResult?.AccessToken);
    return AuthenticationResult.AccessToken;
  }

  const shown = (email: string) => client.send(new aws.AdminGetUserCommand(toPoolUser(email)));
  const refusal = (name: string) => ({ name });

  it('signs up, requests another code and resets a forgotten password', async () => {
    const email = 'ada@example.com';
    await client.send(
      new aws.SignUpCommand({
        ...ofClient(email),
        Password: PASSWORD,
        UserAttributes: [{ Name: 'email', Value: email }],
      }),
    );
    const sent = await client.send(new aws.ResendConfirmationCodeCommand(ofClient(email)));
    assert.equal(sent.CodeDeliveryDetails?.DeliveryMedium, 'EMAIL');
    const confirmation = { ...ofClient(email), ConfirmationCode: service.codeTo(email) };
    await client.send(new aws.ConfirmSignUpCommand(confirmation));
    const forgot = await client.send(new aws.ForgotPasswordCommand(ofClient(email)));
    assert.equal(forgot.CodeDeliveryDetails?.AttributeName, 'email');
    const confirm = (ConfirmationCode: string) =>
      client.send(
        new aws.ConfirmForgotPasswordCommand({ ...ofClient(email), ConfirmationCode, Password: NEW_PASSWORD }),
      );
    await assert.rejects(confirm('000000'), refusal('CodeMismatchException'));
    await confirm(service.codeTo(email));
    await logIn(email, NEW_PASSWORD);
  });

  it("changes, verifies and deletes the user's own attributes and password, and signs out everywhere", async () => {
    const email = 'grace@example.com';
    await addUser(email);
    const AccessToken = await logIn(email);
    const change = { AccessToken, PreviousPassword: PASSWORD, ProposedPassword: NEW_PASSWORD };
    await client.send(new aws.ChangePasswordCommand(change));
    const update = (Name: string, Value: string) =>
      client.send(new aws.UpdateUserAttributesCommand({ AccessToken, UserAttributes: [{ Name, Value }] }));
    await update('name', 'Grace');
    const moved = `new-${email}`;
    const { CodeDeliveryDetailsList } = await update('email', moved);
    assert.equal(CodeDeliveryDetailsList?.[0]?.AttributeName, 'email');
    const about = { AccessToken, AttributeName: 'email' };
    await client.send(new aws.VerifyUserAttributeCommand({ ...about, Code: service.codeTo(moved) }));
    await client.send(new aws.GetUserAttributeVerificationCodeCommand(about));
    await client.send(new aws.DeleteUserAttributesCommand({ AccessToken, UserAttributeNames: ['name'] }));
    const { UserAttributes = [] } = await client.send(new aws.GetUserCommand({ AccessToken }));
    const names = Object.fromEntries(UserAttributes.map(({ Name = '', Value }) => [Name, Value]));
    assert.deepEqual([names.email, names.email_verified, names.name], [moved, 'true', undefined]);
    await client.send(new aws.GlobalSignOutCommand({ AccessToken }));
    const again = client.send(new aws.GetUserCommand({ AccessToken }));
    await assert.rejects(again, refusal('NotAuthorizedException'));
    await client.send(new aws.DeleteUserCommand({ AccessToken: await logIn(moved, NEW_PASSWORD) }));
    await assert.rejects(shown(moved), refusal('UserNotFoundException'));
  });

  it('administers users: attributes, status, password, sign-out, deletion', async () => {
    const email = 'alan@example.com';
    await addUser(email);
    const pair = { Name: 'name', Value: 'Alan' };
    await client.send(new aws.AdminUpdateUserAttributesCommand({ ...toPoolUser(email), UserAttributes: [pair] }));
    assert.ok((await shown(email)).UserAttributes?.some(({ Value }) => Value === 'Alan'));
    await client.send(new aws.AdminDeleteUserAttributesCommand({ ...toPoolUser(email), UserAttributeNames: ['name'] }));
    assert.ok(!(await shown(email)).UserAttributes?.some(({ Name }) => Name === 'name'));
    await client.send(new aws.AdminDisableUserCommand(toPoolUser(email)));
    assert.equal((await shown(email)).Enabled, false);
    await client.send(new aws.AdminEnableUserCommand(toPoolUser(email)));
    const AccessToken = await logIn(email);
    await client.send(new aws.AdminUserGlobalSignOutCommand(toPoolUser(email)));
    const signedOut = client.send(new aws.GetUserCommand({ AccessToken }));
    await assert.rejects(signedOut, refusal('NotAuthorizedException'));
    await client.send(new aws.AdminResetUserPasswordCommand(toPoolUser(email)));
    assert.equal((await shown(email)).UserStatus, 'RESET_REQUIRED');
    await assert.rejects(logIn(email), refusal('PasswordResetRequiredException'));
    await client.send(new aws.AdminDeleteUserCommand(toPoolUser(email)));
    await assert.rejects(shown(email), refusal('UserNotFoundException'));
    const unconfirmed = 'waiting@example.com';
    const wanted = { ...ofClient(unconfirmed), Password: PASSWORD };
    await client.send(new aws.SignUpCommand({ ...wanted, UserAttributes: [{ Name: 'email', Value: unconfirmed }] }));
    await client.send(new aws.AdminConfirmSignUpCommand(toPoolUser(unconfirmed)));
    assert.equal((await shown(unconfirmed)).UserStatus, 'CONFIRMED');
  });

  it('administers groups, whose names are in the tokens', async () => {
    const email = 'member@example.com';
    const Username = await addUser(email);
    const ofPool = { UserPoolId: service.userPoolId };
    for (const [GroupName, Precedence] of [
      ['staff', 5],
      ['admins', 1],
    ] as const)
      await client.send(new aws.CreateGroupCommand({ ...ofPool, GroupName, Precedence, Description: GroupName }));
    await assert.rejects(
      client.send(new aws.CreateGroupCommand({ ...ofPool, GroupName: 'staff' })),
      refusal('GroupExistsException'),
    );
    const staff = { ...ofPool, GroupName: 'staff' };
    for (const GroupName of ['staff', 'admins'])
      await client.send(new aws.AdminAddUserToGroupCommand({ ...toPoolUser(email), GroupName }));
    const claims = JSON.parse(Buffer.from((await logIn(email)).split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual(claims['cognito:groups'], ['admins', 'staff']);
    const ofUser = await client.send(new aws.AdminListGroupsForUserCommand(toPoolUser(email)));
    assert.deepEqual(ofUser.Groups?.map(({ GroupName }) => GroupName).sort(), ['admins', 'staff']);
    const members = await client.send(new aws.ListUsersInGroupCommand(staff));
    assert.deepEqual(
      members.Users?.map((user) => user.Username),
      [Username],
    );
    await client.send(new aws.UpdateGroupCommand({ ...staff, Description: 'Everybody' }));
    assert.equal((await client.send(new aws.GetGroupCommand(staff))).Group?.Description, 'Everybody');
    await client.send(new aws.AdminRemoveUserFromGroupCommand({ ...toPoolUser(email), GroupName: 'staff' }));
    assert.deepEqual((await client.send(new aws.ListUsersInGroupCommand(staff))).Users, []);
    await client.send(new aws.DeleteGroupCommand(staff));
    const { Groups = [] } = await client.send(new aws.ListGroupsCommand(ofPool));
    assert.deepEqual(
      Groups.map(({ GroupName }) => GroupName),
      ['admins'],
    );
  });

  it('lists users page by page and with a filter', async () => {
    const emails = Array.from({ length: 7 }, (_, index) => `listed-${index}@example.com`);
    for (const email of emails) await addUser(email, [{ Name: 'family_name', Value: 'Listed' }]);
    const found: string[] = [];
    const pages = aws.paginateListUsers({ client, pageSize: 3 }, { UserPoolId: service.userPoolId, Limit: 3 });
    for await (const { Users = [] } of pages)
      for (const { Attributes = [] } of Users) found.push(Attributes.find(({ Name }) => Name === 'email')?.Value ?? '');
    assert.equal(new Set(found).size, found.length);
    for (const email of emails) assert.ok(found.includes(email), email);
    const list = async (Filter: string) => {
      const { Users = [] } = await client.send(new aws.ListUsersCommand({ UserPoolId: service.userPoolId, Filter }));
      return Users.length;
    };
    assert.equal(await list('email = "listed-3@example.com"'), 1);
    assert.equal(await list('email ^= "listed-"'), 7);
    assert.equal(await list('family_name = "Listed"'), 7);
    assert.equal(await list('cognito:user_status = "UNCONFIRMED"'), 0);
    await assert.rejects(list('email ~ "x"'), refusal('InvalidParameterException'));
  });

  it('administers identity providers, and links users to their accounts', async () => {
    const email = 'linked@example.com';
    await addUser(email);
    const UserPoolId = service.userPoolId;
    const ofProvider = { UserPoolId, ProviderName: 'Corp' };
    const details = { client_id: 'pool', client_secret: 'secret', oidc_issuer: 'https://login.example.com' };
    await client.send(
      new aws.CreateIdentityProviderCommand({
        ...ofProvider,
        ProviderType: 'OIDC',
        ProviderDetails: { ...details, authorize_scopes: 'openid' },
      }),
    );
    await client.send(new aws.UpdateIdentityProviderCommand({ ...ofProvider, IdpIdentifiers: ['corp.example'] }));
    const byDomain = { UserPoolId, IdpIdentifier: 'corp.example' };
    for (const { IdentityProvider } of [
      await client.send(new aws.DescribeIdentityProviderCommand(ofProvider)),
      await client.send(new aws.GetIdentityProviderByIdentifierCommand(byDomain)),
    ]) {
      assert.equal(IdentityProvider?.ProviderDetails?.oidc_issuer, details.oidc_issuer);
    }
    const { Providers } = await client.send(new aws.ListIdentityProvidersCommand({ UserPoolId }));
    assert.deepEqual(
      Providers?.map(({ ProviderName }) => ProviderName),
      ['Corp'],
    );
    const account = { ProviderName: 'Corp', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: 'ada' };
    const DestinationUser = { ProviderName: 'Cognito', ProviderAttributeValue: email };
    await client.send(new aws.AdminLinkProviderForUserCommand({ UserPoolId, DestinationUser, SourceUser: account }));
    const readIdentities = async () =>
      (await shown(email)).UserAttributes?.find(({ Name }) => Name === 'identities')?.Value ?? '[]';
    assert.match(await readIdentities(), /"userId":"ada"/);
    await client.send(new aws.AdminDisableProviderForUserCommand({ UserPoolId, User: account }));
    assert.equal(await readIdentities(), '[]');
    await client.send(new aws.DeleteIdentityProviderCommand(ofProvider));
    const gone = client.send(new aws.DescribeIdentityProviderCommand(ofProvider));
    await assert.rejects(gone, refusal('ResourceNotFoundException'));
  });

  it('styles the pages of an app client', async () => {
    const UserPoolId = service.userPoolId;
    const Domain = 'brands-of-the-sdk';
    await client.send(new aws.CreateUserPoolDomainCommand({ UserPoolId, Domain })).catch(() => undefined);
    const made = await client.send(new aws.CreateUserPoolClientCommand({ UserPoolId, ClientName: 'branded' }));
    const ids = { UserPoolId, ClientId: made.UserPoolClient?.ClientId };
    const ImageFile = Buffer.from('89504e470d0a1a0a0000', 'hex');
    const CSS = '.label-customizable {font-weight: 400;}';
    const set = await client.send(new aws.SetUICustomizationCommand({ ...ids, CSS, ImageFile }));
    assert.match(set.UICustomization?.ImageUrl ?? '', /^http:\/\/.*\/cognito\/assets\/logo-[\w.-]+\.png$/);
    const got = await client.send(new aws.GetUICustomizationCommand(ids));
    assert.deepEqual(got.UICustomization, set.UICustomization);
    assert.ok(got.UICustomization?.LastModifiedDate instanceof Date);

    const Settings = { components: { form: { borderRadius: 4, lightMode: { backgroundColor: 'ffffffff' } } } };
    const Assets = [{ Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'PNG', Bytes: ImageFile }] as const;
    const sent = { ...ids, Settings, Assets: [...Assets] };
    const { ManagedLoginBranding } = await client.send(new aws.CreateManagedLoginBrandingCommand(sent));
    const style = { UserPoolId, ManagedLoginBrandingId: ManagedLoginBranding?.ManagedLoginBrandingId };
    const change = { ...style, Settings: { components: { form: { borderRadius: 8 } } } };
    await client.send(new aws.UpdateManagedLoginBrandingCommand(change));
    for (const { ManagedLoginBranding: found } of [
      await client.send(new aws.DescribeManagedLoginBrandingCommand(style)),
      await client.send(new aws.DescribeManagedLoginBrandingByClientCommand(ids)),
    ]) {
      const form = { borderRadius: 8, lightMode: { backgroundColor: 'ffffffff' } };
      assert.deepEqual(found?.Settings, { components: { form } });
      assert.deepEqual(Buffer.from(found?.Assets?.[0]?.Bytes ?? []), ImageFile);
    }
    await client.send(new aws.DeleteManagedLoginBrandingCommand(style));
    await assert.rejects(
      client.send(new aws.DescribeManagedLoginBrandingCommand(style)),
      refusal('ResourceNotFoundException'),
    );
    await client.send(new aws.DeleteUserPoolClientCommand(ids));
  });

  it('got a response to every operation for accounts, groups and administration', () => {
    // Other suites cover devices, second factors, passkeys, logins, sessions and pools.
    const elsewhere =
      /Device|MFA|SoftwareToken|WebAuthn|Auth|Token|RespondToAuthChallenge|UserPool|Resource|CustomAttributes|CSVHeader|UserSettings|UserSession|RiskConfiguration|LogDelivery/;
    const missing = Object.keys(OPERATIONS).filter((name) => !elsewhere.test(name) && !answered.has(name));
    assert.deepEqual(missing, []);
  });
});
