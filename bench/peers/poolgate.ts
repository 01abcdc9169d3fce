import { fileURLToPath } from 'node:url';
import type { Account, Target } from '../load/drive.ts';
import { callWire } from '../load/post.ts';
import { freePort, type Program } from '../rig/server.ts';

/** This project's service on a database file with full durability; only the limits by address are off. */
export async function poolgateProgram(folder: string): Promise<Program> {
  const port = await freePort();
  return {
    words: [fileURLToPath(import.meta.resolve('../../packages/poolgate/src/main.ts')), 'serve'],
    folder,
    environment: {
      NODE_ENV: 'development',
      PORT: String(port),
      HOST: '127.0.0.1',
      POOLGATE_DATA_DIR: folder,
      POOLGATE_LIMIT_READS: '0',
      POOLGATE_LIMIT_LOGIN_STEPS: '0',
    },
    readyPath: '/readyz',
    port,
  };
}

interface LoginParameters {
  readonly provider: { readonly user_pool_id: string; readonly client_id: string };
}

/** Signs the users up and confirms them with the codes of the outbox. */
export async function fillPoolgate(url: string, accounts: readonly Account[]): Promise<Target> {
  const { provider } = (await (await fetch(`${url}/login/parameters`)).json()) as LoginParameters;
  const target = { url, accounts, userPoolId: provider.user_pool_id, clientId: provider.client_id };
  for (const account of accounts) await signUp(target, account);
  return target;
}

async function signUp({ url, clientId }: Target, { username, password }: Account): Promise<void> {
  const user = { ClientId: clientId, Username: username };
  await callWire(url, 'SignUp', {
    ...user,
    Password: password,
    UserAttributes: [{ Name: 'email', Value: username }],
  });
  const outbox = (await (await fetch(`${url}/dev/outbox?to=${username}`)).json()) as { readonly code?: string }[];
  await callWire(url, 'ConfirmSignUp', { ...user, ConfirmationCode: outbox[0]?.code });
}
