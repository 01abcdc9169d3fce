import { createRequire } from 'node:module';
import type { Account, Target } from '../load/drive.ts';
import { callOperation } from '../load/request.ts';
import { findFreePort, type Program } from '../rig/server.ts';

/** cognito-local as its command starts it, with an empty store. */
export async function createCognitoLocalProgram(folder: string): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [createRequire(import.meta.url).resolve('cognito-local/lib/bin/start.js')],
    folder,
    environment: { PORT: String(port), HOST: '127.0.0.1' },
    readyPath: '/health',
    port,
  };
}

/** Creates a pool, a client and the users. */
export async function fillCognitoLocal(url: string, accounts: readonly Account[]): Promise<Target> {
  const { UserPool } = (await callOperation(url, 'CreateUserPool', {
    PoolName: 'bench',
    UsernameAttributes: ['email'],
  })) as { readonly UserPool: { readonly Id: string } };
  const UserPoolId = UserPool.Id;
  const { UserPoolClient } = (await callOperation(url, 'CreateUserPoolClient', {
    UserPoolId,
    ClientName: 'bench',
    ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
  })) as { readonly UserPoolClient: { readonly ClientId: string } };
  for (const { username, password } of accounts) {
    const user = { UserPoolId, Username: username };
    await callOperation(url, 'AdminCreateUser', { ...user, MessageAction: 'SUPPRESS' });
    await callOperation(url, 'AdminSetUserPassword', { ...user, Password: password, Permanent: true });
  }
  return { url, accounts, userPoolId: UserPoolId, clientId: UserPoolClient.ClientId };
}
