import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import type { StartOptions } from 'poolgate';
import { startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const Username = 'ada@example.test';
const Password = 'Correct-Horse1!';
const TAKEN = 'UsernameExistsException: An account with the given email already exists.';
const LIMITED = 'LimitExceededException: Attempt limit exceeded, please try after some time.';

async function open(context: TestContext, existence: aws.PreventUserExistenceErrorTypes, options: StartOptions = {}) {
  const service = await startClientService(options);
  context.after(() => service.close());
  const { client } = createSdkClient(service);
  context.after(() => client.destroy());
  const { UserPool } = await client.send(
    new aws.CreateUserPoolCommand({
      PoolName: 'made',
      UsernameAttributes: ['email'],
      AutoVerifiedAttributes: ['email'],
    }),
  );
  const UserPoolId = UserPool?.Id ?? '';
  const { UserPoolClient } = await client.send(
    new aws.CreateUserPoolClientCommand({ UserPoolId, ClientName: 'app', PreventUserExistenceErrors: existence }),
  );
  const ClientId = UserPoolClient?.ClientId;
  const attempt = async (call: Promise<unknown>): Promise<string> => {
    try {
      await call;
      return 'done';
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  };
  return {
    service,
    deleteUser: () => client.send(new aws.AdminDeleteUserCommand({ UserPoolId, Username })),
    confirm: () => client.send(new aws.AdminConfirmSignUpCommand({ UserPoolId, Username })),
    signUp: (password = Password) =>
      attempt(client.send(new aws.SignUpCommand({ ClientId, Username, Password: password }))),
    resend: () => attempt(client.send(new aws.ResendConfirmationCodeCommand({ ClientId, Username }))),
  };
}

const repeat = async (times: number, call: () => Promise<string>): Promise<readonly string[]> => {
  const ends: string[] = [];
  for (let done = 0; done < times; done += 1) ends.push(await call());
  return ends;
};

test('a sign-up that is refused because the name is taken consumes no code', async (context) => {
  const { service, signUp, confirm, deleteUser } = await open(context, 'LEGACY', { limitSourceMessages: 2 });
  assert.equal(await signUp(), 'done');
  await confirm();
  assert.deepEqual(await repeat(6, signUp), Array(6).fill(TAKEN));
  await deleteUser();
  assert.equal(await signUp(), 'done', 'the second code of this source is left');
  assert.equal(service.outbox?.list(Username).filter(({ code }) => code !== undefined).length, 2);
  await deleteUser();
  assert.equal(await signUp(), LIMITED);
});

test('a sign-up that is refused for its password consumes no code', async (context) => {
  const { signUp } = await open(context, 'ENABLED', { limitSourceMessages: 2 });
  const refused = await repeat(4, () => signUp('short'));
  assert.ok(refused.every((end) => end.startsWith('InvalidPasswordException')));
  assert.deepEqual(await repeat(3, signUp), ['done', 'done', LIMITED]);
});

test('where users are hidden, a taken name has the same limits as a new one', async (context) => {
  const { signUp, confirm } = await open(context, 'ENABLED', { limitSourceMessages: 2 });
  assert.equal(await signUp(), 'done');
  await confirm();
  assert.deepEqual(await repeat(2, signUp), ['done', LIMITED]);
});

test('in development one source may cause 50 codes per hour for one user', async (context) => {
  const { service, signUp, resend } = await open(context, 'LEGACY');
  assert.equal(await signUp(), 'done');
  assert.deepEqual(await repeat(50, resend), [...Array(49).fill('done'), LIMITED]);
  assert.equal(service.outbox?.list(Username).length, 50);
});
