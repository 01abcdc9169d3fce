import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { OPERATION_NAMES, OPERATIONS, type OperationName, type OperationRow } from '@poolgate/provider';
import { databaseRows } from '../proofs/database-rows.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const VICTIM = 'victim@example.com';
/** For the user and groups of the served pool. Requests about another pool never return it. */
const MARKER = 'Seen-Only-In-The-Served-Pool';
const FLOWS = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_USER_AUTH', 'ALLOW_USER_SRP_AUTH'];

type Members = Readonly<Record<string, unknown>>;

interface Input {
  readonly members?: Members;
  readonly required?: readonly string[];
}

const MODEL: { readonly operations: Readonly<Record<string, { readonly input: Input }>> } = JSON.parse(
  readFileSync(new URL('../../packages/provider/src/cognito-ops.json', import.meta.url), 'utf8'),
);

const requireInputModel = (name: OperationName): Input => MODEL.operations[name]?.input ?? assert.fail(name);

/** The IDs that a request can name. */
interface Ids {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly AccessToken: string;
  readonly RefreshToken: string;
  readonly DeviceKey: string;
  readonly GroupName: string;
  readonly SessionId: string;
  readonly Session: string;
  readonly Code: string;
  readonly Sub: string;
}

/** Values of members that do not identify anything in a pool. */
const OTHERWISE: Members = {
  Username: VICTIM,
  Password: PASSWORD,
  Permanent: true,
  MessageAction: 'SUPPRESS',
  PreviousPassword: PASSWORD,
  ProposedPassword: 'Another-Horse2!',
  UserAttributes: [{ Name: 'name', Value: 'Eve' }],
  UserAttributeNames: ['name'],
  AttributeName: 'email',
  UserCode: '123456',
  CredentialId: 'AAAA',
  Credential: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} },
  MFAOptions: [],
  DeviceRememberedStatus: 'remembered',
  PoolName: 'third',
  ClientName: 'third',
  CustomAttributes: [{ Name: 'colour', AttributeDataType: 'String' }],
  Tags: { owner: 'eve' },
  TagKeys: ['owner'],
  LogConfigurations: [{ LogLevel: 'ERROR', EventSource: 'userNotification' }],
  ClientSecretId: 'none--00000000-0000-4000-8000-000000000000',
  MaxResults: 10,
  UserSessionTracking: 'ENABLED',
  TokenSession: { MaxPerUser: 1 },
  SSOSession: { MaxValidityMinutes: 5 },
  MfaConfiguration: 'OFF',
  SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
  ExplicitAuthFlows: FLOWS,
  Identifier: 'https://api.example.com',
  Name: 'third',
  Scopes: [{ ScopeName: 'read', ScopeDescription: 'Reads' }],
  Domain: 'third',
  ManagedLoginBrandingId: '00000000-0000-4000-8000-000000000000',
  Secret: 'a'.repeat(40),
  ProviderName: 'Partner',
  ProviderType: 'OIDC',
  ProviderDetails: {
    client_id: 'poolgate',
    client_secret: 'b'.repeat(40),
    oidc_issuer: 'https://login.example.com',
    authorize_scopes: 'openid',
    attributes_request_method: 'GET',
  },
  IdpIdentifier: 'example.com',
  User: { ProviderName: 'Partner', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: VICTIM },
  SourceUser: { ProviderName: 'Partner', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: 'eve' },
  DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: VICTIM },
};

/** Creates a request of an operation that uses these IDs in every possible member. */
function createRequest(name: OperationName, ids: Ids): Members {
  const { members = {}, required = [] } = requireInputModel(name);
  const isAdmin = 'UserPoolId' in members;
  const known: Members = {
    ...OTHERWISE,
    ...ids,
    Token: ids.RefreshToken,
    ConfirmationCode: ids.Code,
    ResourceArn: `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${ids.UserPoolId}`,
    AuthFlow: isAdmin ? 'ADMIN_USER_PASSWORD_AUTH' : 'REFRESH_TOKEN_AUTH',
    AuthParameters: isAdmin
      ? { USERNAME: VICTIM, PASSWORD, DEVICE_KEY: ids.DeviceKey }
      : { REFRESH_TOKEN: ids.RefreshToken, DEVICE_KEY: ids.DeviceKey },
    ChallengeName: 'SELECT_CHALLENGE',
    ChallengeResponses: { USERNAME: VICTIM, ANSWER: 'PASSWORD', PASSWORD },
  };
  // An unsigned operation accepts one or the other.
  const left = name === 'AssociateSoftwareToken' || name === 'VerifySoftwareToken' ? ['Session'] : [];
  for (const member of required) assert.ok(known[member] !== undefined, `${name} needs a value for ${member}`);
  return Object.fromEntries(
    Object.keys(members)
      .filter((member) => known[member] !== undefined && !left.includes(member))
      .map((member) => [member, known[member]]),
  );
}

describe('operations with the IDs of a second pool', () => {
  let folder: string;
  let databaseUrl: string;
  let service: TestService;
  let served: Ids;
  let poolId = '';
  let answered = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-second-'));
    databaseUrl = `sqlite:${join(folder, 'poolgate.db')}`;
    service = await startTestService({ databaseUrl, firstFactors: ['PASSWORD', 'EMAIL_OTP'] });
    await addUser(service, VICTIM);
    const named = { UserPoolId: service.userPoolId, Username: VICTIM };
    await cognitoApi('AdminUpdateUserAttributes', { ...named, UserAttributes: [{ Name: 'name', Value: MARKER }] });
    for (const GroupName of ['served', 'both']) {
      await cognitoApi('CreateGroup', { UserPoolId: service.userPoolId, GroupName, Description: MARKER });
    }
    await cognitoApi('AdminAddUserToGroup', { ...named, GroupName: 'both' });
    served = await idsIn(service.userPoolId, service.clientId, 'served');
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function cognitoApi(operation: OperationName, input: object): Promise<Members> {
    const answer = await service.call(operation, input, service.asAdmin);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  /** Creates a login of the user with a device, a pending login and a code for a new password. */
  async function idsIn(UserPoolId: string, ClientId: string, GroupName: string, isSent = true): Promise<Ids> {
    const user = { AuthParameters: { USERNAME: VICTIM, PASSWORD }, ClientId };
    const first = await cognitoApi('InitiateAuth', { ...user, AuthFlow: 'USER_PASSWORD_AUTH' });
    const { AccessToken, RefreshToken, NewDeviceMetadata } = first.AuthenticationResult as Record<string, string> & {
      readonly NewDeviceMetadata?: { readonly DeviceKey: string };
    };
    const pending = await cognitoApi('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: VICTIM },
    });
    if (isSent) await cognitoApi('ForgotPassword', { ClientId, Username: VICTIM });
    const { Sessions = [] } = (await cognitoApi('AdminListUserSessions', { UserPoolId, Username: VICTIM })) as {
      readonly Sessions?: readonly { readonly SessionId: string }[];
    };
    const { UserAttributes } = (await cognitoApi('AdminGetUser', { UserPoolId, Username: VICTIM })) as {
      readonly UserAttributes: readonly { readonly Name: string; readonly Value: string }[];
    };
    return {
      UserPoolId,
      ClientId,
      GroupName,
      AccessToken: String(AccessToken),
      RefreshToken: String(RefreshToken),
      DeviceKey: NewDeviceMetadata?.DeviceKey ?? 'us-east-1_00000000-0000-4000-8000-000000000000',
      SessionId: Sessions[0]?.SessionId ?? '',
      Session: String(pending.Session),
      Code: service.outbox?.list(VICTIM)[0]?.code ?? '123456',
      Sub: UserAttributes.find(({ Name }) => Name === 'sub')?.Value ?? '',
    };
  }

  /** Restores the second pool after each operation. The username of its user is the address of the served pool's user. */
  async function secondPool(isSent: boolean): Promise<Ids> {
    service.clock.advance(100);
    const isThere = await service.call('DescribeUserPool', { UserPoolId: poolId || 'us-east-1_none' }, service.asAdmin);
    if (isThere.status !== 200) {
      const made = await cognitoApi('CreateUserPool', { PoolName: 'second' });
      poolId = (made.UserPool as { readonly Id: string }).Id;
    }
    const UserPoolId = poolId;
    const AccountRecoverySetting = { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] };
    const DeviceConfiguration = { ChallengeRequiredOnNewDevice: true };
    await cognitoApi('UpdateUserPool', { UserPoolId, AccountRecoverySetting, DeviceConfiguration });
    const TokenSession = { MaxPerUser: 20 };
    await cognitoApi('SetUserPoolSessionConfiguration', { UserPoolId, UserSessionTracking: 'ENABLED', TokenSession });
    const asked = { UserPoolId, ClientName: 'app', ExplicitAuthFlows: [...FLOWS, 'ALLOW_REFRESH_TOKEN_AUTH'] };
    const { UserPoolClient } = await cognitoApi('CreateUserPoolClient', asked);
    await service.call('AdminDeleteUser', { UserPoolId, Username: VICTIM }, service.asAdmin);
    await service.call('CreateGroup', { UserPoolId, GroupName: 'both' }, service.asAdmin);
    const UserAttributes = [
      { Name: 'email', Value: VICTIM },
      { Name: 'email_verified', Value: 'true' },
    ];
    const user = { UserPoolId, Username: VICTIM };
    await cognitoApi('AdminCreateUser', { ...user, UserAttributes, MessageAction: 'SUPPRESS' });
    await cognitoApi('AdminSetUserPassword', { ...user, Password: PASSWORD, Permanent: true });
    return idsIn(UserPoolId, (UserPoolClient as { readonly ClientId: string }).ClientId, 'both', isSent);
  }

  /** All rows of the served pool. */
  const rowsOfServed = () =>
    Object.entries(databaseRows(databaseUrl)).map(([table, rows]) => [
      table,
      rows.filter((row) => row.includes(served.UserPoolId) || row.includes(served.Sub)),
    ]);

  async function leavesServedAlone(name: OperationName, request: Members): Promise<number> {
    const before = rowsOfServed();
    const answer = await service.call(name, request, service.asAdmin);
    assert.ok(answer.status < 500, answer.text);
    assert.deepEqual(rowsOfServed(), before, `${name}: ${answer.text}`);
    for (const secret of [MARKER, served.Sub]) assert.ok(!answer.text.includes(secret), `${name}: ${answer.text}`);
    return answer.status;
  }

  for (const name of OPERATION_NAMES) {
    const row: OperationRow = OPERATIONS[name];
    const { members = {} } = requireInputModel(name);

    it(`${name} does not change or show anything of the served pool`, async () => {
      const isSent = name === 'ConfirmForgotPassword';
      const own = await secondPool(isSent);
      if ((await leavesServedAlone(name, createRequest(name, own))) === 200) answered += 1;
      // IDs of the served pool in a request about the second one.
      const { UserPoolId, ClientId, AccessToken } = await secondPool(false);
      const isClientOfPool = row.access === 'admin' && 'ClientId' in members;
      const mixed = { ...served, UserPoolId, AccessToken, ClientId: isClientOfPool ? served.ClientId : ClientId };
      await leavesServedAlone(name, createRequest(name, mixed));
      if (!isClientOfPool) return;
      const other = { ...served, ClientId };
      assert.notEqual(await leavesServedAlone(name, createRequest(name, other)), 200);
    });
  }

  it('most requests succeeded in the second pool, and everything that the served pool issued before is still valid', async () => {
    assert.ok(answered >= 60, `${answered} were`);
    const tokens = { AccessToken: served.AccessToken };
    const { Sessions } = (await cognitoApi('ListUserSessions', tokens)) as { readonly Sessions: readonly unknown[] };
    assert.equal(Sessions.length, 1);
    const renewed = await service.post('/token/refresh', { refresh_token: served.RefreshToken });
    assert.equal((await service.get('/user/profile', createBearerHeader(requireTokens(renewed).access))).status, 200);
    requireTokens(await service.post('/login', { username: VICTIM, password: PASSWORD }));
  });
});
