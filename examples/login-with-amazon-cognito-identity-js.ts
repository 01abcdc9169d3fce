/** Logs in with the unmodified client library of Cognito; only `endpoint` is new. */
import * as cognito from 'amazon-cognito-identity-js';

const endpoint = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const Username = process.env.POOLGATE_USERNAME ?? 'demo@poolgate.test';
const Password = process.env.POOLGATE_PASSWORD ?? 'Demo-Passw0rd!';

interface Parameters {
  readonly provider: { readonly user_pool_id: string; readonly client_id: string };
}

const { provider } = (await (await fetch(`${endpoint}/login/parameters`)).json()) as Parameters;
const Pool = new cognito.CognitoUserPool({
  UserPoolId: provider.user_pool_id,
  ClientId: provider.client_id,
  endpoint,
});

const user = new cognito.CognitoUser({ Username, Pool });
user.authenticateUser(new cognito.AuthenticationDetails({ Username, Password }), {
  onSuccess(session) {
    console.log(`${session.getIdToken().payload.email} is logged in`);
  },
  onFailure(error: Error) {
    console.error(`${error.name}: ${error.message}`);
    process.exitCode = 1;
  },
});
