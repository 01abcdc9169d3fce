import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import type { TriggerEvent } from '@poolgate/pool';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:migrate';
const PASSWORD = 'Correct-Horse1!';
const WRONG = 'NotAuthorizedException: Incorrect username or password.';

/** An app client of a pool, and its response to unknown names. */
interface Scope {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

describe('the AWS SDK migrates users of an older system, whether or not the client hides users', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  const asked: string[] = [];
  const scopes = new Map<string, Scope>();

  /** The older system knows every name that begins with `old`. */
  const migrate = (event: TriggerEvent) => {
    asked.push(`${event.triggerSource} ${event.userName}`);
    const isRight = event.triggerSource === 'UserMigration_ForgotPassword' || event.request.password === PASSWORD;
    if (!event.userName.startsWith('old') || !isRight) throw new Error('Bad password');
    const userAttributes = { email: event.userName, email_verified: 'true' };
    return { ...event, response: { userAttributes, finalUserStatus: 'CONFIRMED', messageAction: 'SUPPRESS' } };
  };

  const createScopes = async (pool: string, UserPoolId: string) => {
    const ExplicitAuthFlows: aws.ExplicitAuthFlowsType[] = [
      'ALLOW_USER_PASSWORD_AUTH',
      'ALLOW_ADMIN_USER_PASSWORD_AUTH',
      'ALLOW_USER_AUTH',
      'ALLOW_USER_SRP_AUTH',
      'ALLOW_REFRESH_TOKEN_AUTH',
    ];
    for (const existence of ['ENABLED', 'LEGACY', undefined] as const) {
      const { UserPoolClient } = await client.send(
        new aws.CreateUserPoolClientCommand({
          UserPoolId,
          ClientName: 'app',
          ExplicitAuthFlows,
          ...(existence && { PreventUserExistenceErrors: existence }),
        }),
      );
      scopes.set(`${pool}, ${existence ?? 'nothing set'}`, { UserPoolId, ClientId: UserPoolClient?.ClientId ?? '' });
    }
  };

  before(async () => {
    service = await startClientService({ triggers: { [ARN]: migrate } });
    ({ client } = createSdkClient(service));
    const LambdaConfig = { UserMigration: ARN };
    const { UserPool } = await client.send(
      new aws.CreateUserPoolCommand({ PoolName: 'second', UsernameAttributes: ['email'], LambdaConfig }),
    );
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId: service.userPoolId, LambdaConfig }));
    await createScopes('served pool', service.userPoolId);
    await createScopes('second pool', UserPool?.Id ?? '');
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  const addKnownUser = async (UserPoolId: string, Username: string) => {
    const UserAttributes = [
      { Name: 'email', Value: Username },
      { Name: 'email_verified', Value: 'true' },
    ];
    const user = { UserPoolId, Username };
    await client.send(new aws.AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS', UserAttributes }));
    const Password = 'Another-Horse2!';
    await client.send(new aws.AdminSetUserPasswordCommand({ ...user, Password, Permanent: true }));
  };
  const outcome = async (call: Promise<{ readonly AuthenticationResult?: unknown }>): Promise<string> => {
    try {
      return (await call).AuthenticationResult === undefined ? 'no tokens' : 'tokens';
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  };
  const choose = ({ ClientId }: Scope, AuthParameters: Record<string, string>) =>
    client.send(new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters }));
  const respond = (
    { ClientId }: Scope,
    { ChallengeName, Session }: aws.InitiateAuthCommandOutput,
    ChallengeResponses: Record<string, string>,
  ) => client.send(new aws.RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses }));

  type Login = (scope: Scope, name: string) => Promise<{ readonly AuthenticationResult?: unknown }>;
  const LOGINS: Readonly<Record<string, Login>> = {
    USER_PASSWORD_AUTH: ({ ClientId }, USERNAME) =>
      client.send(
        new aws.InitiateAuthCommand({
          ClientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME, PASSWORD },
        }),
      ),
    ADMIN_USER_PASSWORD_AUTH: (scope, USERNAME) =>
      client.send(
        new aws.AdminInitiateAuthCommand({
          ...scope,
          AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME, PASSWORD },
        }),
      ),
    'USER_AUTH with the password': (scope, USERNAME) =>
      choose(scope, { USERNAME, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD }),
    'USER_AUTH, the password as answer': async (scope, USERNAME) =>
      respond(scope, await choose(scope, { USERNAME, PREFERRED_CHALLENGE: 'PASSWORD' }), { USERNAME, PASSWORD }),
    'USER_AUTH, the password from the list': async (scope, USERNAME) =>
      respond(scope, await choose(scope, { USERNAME }), { USERNAME, ANSWER: 'PASSWORD', PASSWORD }),
  };
  const hides = (scope: string) => scope.endsWith('ENABLED');
  let count = 0;
  const createName = (kind: string) => `${kind}${++count}@example.test`;

  for (const pool of ['served pool', 'second pool']) {
    for (const existence of ['ENABLED', 'LEGACY', 'nothing set']) {
      const scopeName = `${pool}, ${existence}`;
      for (const [flow, logIn] of Object.entries(LOGINS)) {
        it(`${scopeName}: ${flow}`, async () => {
          const scope = scopes.get(scopeName) ?? assert.fail();
          asked.length = 0;
          const names = [createName('old'), createName('nobody'), createName('known')] as const;
          await addKnownUser(scope.UserPoolId, names[2]);
          const ends: string[] = [];
          for (const name of names) ends.push(await outcome(logIn(scope, name)));
          const unknown = hides(scopeName) ? WRONG : 'UserNotFoundException: User does not exist.';
          assert.deepEqual(ends, ['tokens', unknown, WRONG]);
          assert.deepEqual(
            asked,
            names.map((name) => `UserMigration_Authentication ${name}`),
          );
        });
      }

      it(`${scopeName}: ForgotPassword`, async () => {
        const { ClientId } = scopes.get(scopeName) ?? assert.fail();
        asked.length = 0;
        const forget = (Username: string) =>
          outcome(client.send(new aws.ForgotPasswordCommand({ ClientId, Username })).then(() => ({})));
        const old = createName('old');
        const nobody = createName('nobody');
        assert.equal(await forget(old), 'no tokens');
        const unknown = 'UserNotFoundException: Username/client id combination not found.';
        assert.equal(await forget(nobody), hides(scopeName) ? 'no tokens' : unknown);
        assert.deepEqual(asked, [`UserMigration_ForgotPassword ${old}`, `UserMigration_ForgotPassword ${nobody}`]);
        await client.send(
          new aws.ConfirmForgotPasswordCommand({
            ClientId,
            Username: old,
            ConfirmationCode: service.codeTo(old),
            Password: PASSWORD,
          }),
        );
      });

      it(`${scopeName}: flows without a password do not call the older system`, async () => {
        const scope = scopes.get(scopeName) ?? assert.fail();
        asked.length = 0;
        const USERNAME = createName('old');
        const SRP_A = startClient({ engine, random: secureRandom }).srpAHex;
        const bySrp = new aws.InitiateAuthCommand({
          ClientId: scope.ClientId,
          AuthFlow: 'USER_SRP_AUTH',
          AuthParameters: { USERNAME, SRP_A },
        });
        const chosen = { USERNAME, PREFERRED_CHALLENGE: 'PASSWORD_SRP', SRP_A };
        const fromList = async () =>
          respond(scope, await choose(scope, { USERNAME }), { USERNAME, ANSWER: 'PASSWORD_SRP', SRP_A });
        const expected = hides(scopeName) ? 'no tokens' : 'UserNotFoundException: User does not exist.';
        for (const start of [() => client.send(bySrp), () => choose(scope, chosen), fromList]) {
          assert.equal(await outcome(start()), expected);
        }
        assert.deepEqual(asked, []);
      });
    }
  }
});
