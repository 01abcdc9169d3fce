import { REDIRECT_URI } from '../load/code-grant.ts';
import type { Account, Target } from '../load/drive.ts';
import { callOperation } from '../load/request.ts';
import type { Program } from '../rig/server.ts';
import { fillPoolgate, fillWithSessions, poolgateProgram } from './poolgate.ts';

const ADMIN = { id: 'bench', secret: 'only-for-the-benchmark-0123456789abcdef' } as const;
/** The header of the administrator's requests. */
export const AS_ADMIN = { Authorization: `Bearer pg_${ADMIN.id}_${ADMIN.secret}` };

/**
 * Poolgate with an administrator who creates the clients. `side-by-side` calls it and `fillForCodes` in clones at other commits, so their
 * names stay.
 */
export async function oauthProgram(folder: string): Promise<Program> {
  const program = await poolgateProgram(folder);
  const POOLGATE_BOOTSTRAP_ADMIN_KEY = `${ADMIN.id}:${ADMIN.secret}`;
  return { ...program, environment: { ...program.environment, POOLGATE_BOOTSTRAP_ADMIN_KEY } };
}

interface CreatedClient {
  readonly UserPoolClient: { readonly ClientId: string; readonly ClientSecret?: string };
}

async function withClient(target: Target, members: object): Promise<Target> {
  const { url, userPoolId: UserPoolId } = target;
  const input = { UserPoolId, ClientName: 'bench', AllowedOAuthFlowsUserPoolClient: true, ...members };
  const { UserPoolClient: made } = (await callOperation(url, 'CreateUserPoolClient', input, AS_ADMIN)) as CreatedClient;
  const places = { authorizeUrl: `${url}/oauth2/authorize`, tokenUrl: `${url}/oauth2/token` };
  const secret = made.ClientSecret === undefined ? {} : { clientSecret: made.ClientSecret };
  return { ...target, oauth: { ...places, clientId: made.ClientId, ...secret } };
}

/** Signs each user in at a separate browser, and creates an application without a secret. */
export async function fillForCodes(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillWithSessions(url, accounts);
  // Real users do not have hundreds of applications. The limit on logins, which the peer does not have, would end the sessions under load.
  const unbounded = { UserSessionTracking: 'DISABLED', TokenSession: { MaxPerUser: 100 } };
  const { userPoolId: UserPoolId } = target;
  await callOperation(url, 'SetUserPoolSessionConfiguration', { UserPoolId, ...unbounded }, AS_ADMIN);
  return withClient(target, {
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid', 'email'],
    SupportedIdentityProviders: ['COGNITO'],
    CallbackURLs: [REDIRECT_URI],
  });
}

/** Creates a machine with read access. */
export async function fillForMachines(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, []);
  const Scopes = [{ ScopeName: 'read', ScopeDescription: 'read' }];
  const server = { UserPoolId: target.userPoolId, Identifier: 'things', Name: 'things', Scopes };
  await callOperation(url, 'CreateResourceServer', server, AS_ADMIN);
  const machine = { GenerateSecret: true, AllowedOAuthFlows: ['client_credentials'] };
  return { ...(await withClient(target, { ...machine, AllowedOAuthScopes: ['things/read'] })), accounts };
}
