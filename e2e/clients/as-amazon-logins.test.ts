import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { formatTimestamp, hashPassword, secureRandom, signPasswordClaim, startClient } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const PASSWORD = 'Correct-Horse1!';
const WRONG = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };
const NOBODY = { name: 'UserNotFoundException', message: 'User does not exist.' };

/** Responses of Amazon to an SRP login, measured in the table of ministack pull request 1758, line by line. */
describe('an SRP login answers as measured at Amazon', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  let UserPoolId = '';
  let ClientId = '';
  before(async () => {
    service = await startClientService();
    ({ client } = createSdkClient(service));
    const { UserPool } = await client.send(
      new aws.CreateUserPoolCommand({ PoolName: 'p', AliasAttributes: ['email'] }),
    );
    UserPoolId = UserPool?.Id ?? '';
    ClientId = await makeClient('LEGACY');
    const UserAttributes = [
      { Name: 'email', Value: 'ada@example.test' },
      { Name: 'email_verified', Value: 'true' },
    ];
    const user = { UserPoolId, Username: 'ada' };
    await client.send(new aws.AdminCreateUserCommand({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }));
    await client.send(new aws.AdminSetUserPasswordCommand({ ...user, Password: PASSWORD, Permanent: true }));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  async function makeClient(PreventUserExistenceErrors: aws.PreventUserExistenceErrorTypes): Promise<string> {
    const ExplicitAuthFlows = ['ALLOW_USER_SRP_AUTH' as const, 'ALLOW_USER_AUTH' as const];
    const input = { UserPoolId, ClientName: 'c', ExplicitAuthFlows, PreventUserExistenceErrors };
    const { UserPoolClient } = await client.send(new aws.CreateUserPoolClientCommand(input));
    return UserPoolClient?.ClientId ?? '';
  }

  async function begin(USERNAME: string, clientId = ClientId) {
    const start = startClient({ engine, random: secureRandom });
    const AuthParameters = { USERNAME, SRP_A: start.srpAHex };
    const output = await client.send(
      new aws.InitiateAuthCommand({ ClientId: clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters }),
    );
    return { start, output };
  }

  interface Wish {
    readonly password?: string;
    readonly timestamp?: string;
    readonly secretBlock?: string;
    readonly signature?: string;
  }

  async function finish({ start, output }: Awaited<ReturnType<typeof begin>>, wish: Wish = {}) {
    const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = output.ChallengeParameters ?? {};
    const identity = { poolName: UserPoolId.split('_')[1] ?? '', userIdForSrp: USER_ID_FOR_SRP };
    const timestamp = wish.timestamp ?? formatTimestamp(service.clock.now());
    const signature = signPasswordClaim({
      engine,
      ...start,
      srpBHex: SRP_B,
      saltHex: SALT,
      passwordHash: hashPassword(engine, identity, wish.password ?? PASSWORD),
      identity,
      secretBlockB64: SECRET_BLOCK,
      timestamp,
    });
    const ChallengeResponses = {
      USERNAME: USER_ID_FOR_SRP,
      PASSWORD_CLAIM_SECRET_BLOCK: wish.secretBlock ?? SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: wish.signature ?? signature,
      TIMESTAMP: timestamp,
    };
    const answer = { ClientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses } as const;
    return client.send(new aws.RespondToAuthChallengeCommand(answer));
  }

  it('gives tokens for the right password with username and alias, with the username as USER_ID_FOR_SRP and no Session', async () => {
    for (const name of ['ada', 'ada@example.test']) {
      const begun = await begin(name);
      assert.equal(begun.output.ChallengeName, 'PASSWORD_VERIFIER');
      assert.equal(begun.output.ChallengeParameters?.USER_ID_FOR_SRP, 'ada');
      assert.equal(begun.output.Session, undefined);
      const done = await finish(begun);
      assert.ok(done.AuthenticationResult?.AccessToken);
      assert.equal(done.Session, undefined);
      assert.equal(done.ChallengeName, undefined);
    }
  });

  it('can be started by an administrator too', async () => {
    const { srpAHex } = startClient({ engine, random: secureRandom });
    const AuthParameters = { USERNAME: 'ada', SRP_A: srpAHex };
    const start = new aws.AdminInitiateAuthCommand({ UserPoolId, ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters });
    assert.equal((await client.send(start)).ChallengeName, 'PASSWORD_VERIFIER');
  });

  it('reports an unknown user at once if the client is LEGACY, and otherwise continues', async () => {
    await assert.rejects(begin('nobody'), NOBODY);
    const hiding = await makeClient('ENABLED');
    assert.equal((await begin('nobody', hiding)).output.ChallengeName, 'PASSWORD_VERIFIER');
  });

  it('can be started with the sub, which Amazon does not accept as a name here', async () => {
    const { UserAttributes } = await client.send(new aws.AdminGetUserCommand({ UserPoolId, Username: 'ada' }));
    const sub = UserAttributes?.find(({ Name }) => Name === 'sub')?.Value ?? '';
    assert.equal((await begin(sub)).output.ChallengeParameters?.USER_ID_FOR_SRP, 'ada');
  });

  it('refuses a wrong password, signature or secret block in the same way', async () => {
    await assert.rejects(finish(await begin('ada'), { password: 'Wrong-Horse1!' }), WRONG);
    await assert.rejects(finish(await begin('ada'), { signature: Buffer.alloc(32).toString('base64') }), WRONG);
    await assert.rejects(finish(await begin('ada'), { secretBlock: Buffer.alloc(64).toString('base64') }), WRONG);
  });

  it('lists the first factors of the pool if another one is preferred', async () => {
    const message = /not offered by the user pool. It offers: PASSWORD_SRP, PASSWORD\.$/;
    for (const PREFERRED_CHALLENGE of ['SMS_OTP', 'WEB_AUTHN', 'toString']) {
      const AuthParameters = { USERNAME: 'ada', PREFERRED_CHALLENGE };
      const start = new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters });
      await assert.rejects(client.send(start), { name: 'InvalidParameterException', message });
    }
    const AuthParameters = { USERNAME: 'ada' };
    const listed = await client.send(new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters }));
    const ChallengeResponses = { USERNAME: 'ada', ANSWER: 'EMAIL_OTP' };
    const { ChallengeName, Session } = listed;
    const answer = new aws.RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses });
    await assert.rejects(client.send(answer), { name: 'InvalidParameterException', message });
  });

  // Last, because afterwards the signature is too old.
  it('refuses a day with a leading zero, and a weekday that does not match the date', async () => {
    const now = new Date(service.clock.now());
    // A day with one digit, so that there can be a leading zero.
    const toTheFifth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5, 12) - now.getTime();
    service.advanceTime(toTheFifth);
    const good = () => formatTimestamp(service.clock.now());
    const padded = good().replace(/ 5 /, ' 05 ');
    assert.match(padded, / 05 12:00/);
    await assert.rejects(finish(await begin('ada'), { timestamp: padded }), WRONG);
    const otherDay = good().startsWith('Mon') ? 'Tue' : 'Mon';
    await assert.rejects(finish(await begin('ada'), { timestamp: good().replace(/^\w{3}/, otherDay) }), WRONG);
    assert.ok((await finish(await begin('ada'), { timestamp: good() })).AuthenticationResult);
  });
});
