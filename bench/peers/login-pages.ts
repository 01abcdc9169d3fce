import { fileURLToPath } from 'node:url';
import { buildClientFile, bundleScript } from '../../tools/client-bundle.ts';

/**
 * A page that can log in, by its files. It sets `logInByPage`, and `logOut`, which is not measured. If a library has work to do while its
 * form is shown, the page also sets `isReady`.
 */
export type LoginPage = Readonly<Record<string, string>>;

/** Other packages are resolved here: the tests' packages. */
const resolveDir = fileURLToPath(new URL('../../e2e/', import.meta.url));

const bundlePage = async (source: string): Promise<LoginPage> => ({
  'main.js': await bundleScript(source, resolveDir),
});

/**
 * Poolgate's client as published, with a browser session.
 * @param prepares whether it prepares what it can in advance
 */
export const buildOurPage = async (prepares: boolean): Promise<LoginPage> => ({
  'index.js': await buildClientFile('index.js'),
  'srp-worker.js': await buildClientFile('srp-worker.js'),
  'main.js': `import { createClient } from './index.js';
const client = createClient();
${prepares ? 'globalThis.isReady = client.login.prepare();' : ''}
globalThis.logInByPage = async ({ username, password }) => (await client.login.withPassword({ username, password })).kind === 'done';
globalThis.logOut = () => client.logOut();`,
});

/** As in its guide, with SRP, which is its default. */
export const buildAmplifyPage = (): Promise<LoginPage> =>
  bundlePage(`import { Amplify } from 'aws-amplify';
import { signIn, signOut } from 'aws-amplify/auth';
globalThis.logInByPage = async ({ username, password, userPoolId, userPoolClientId }) => {
  Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, userPoolEndpoint: location.origin + '/' } } });
  return (await signIn({ username, password })).isSignedIn;
};
globalThis.logOut = () => signOut();`);

export const buildIdentityPage = (): Promise<LoginPage> =>
  bundlePage(`import { AuthenticationDetails, CognitoUser, CognitoUserPool } from 'amazon-cognito-identity-js';
let user;
globalThis.logInByPage = ({ username, password, userPoolId, userPoolClientId }) => {
  const Pool = new CognitoUserPool({ UserPoolId: userPoolId, ClientId: userPoolClientId, endpoint: location.origin + '/' });
  user = new CognitoUser({ Username: username, Pool });
  const details = new AuthenticationDetails({ Username: username, Password: password });
  return new Promise((resolve, reject) => user.authenticateUser(details, { onSuccess: () => resolve(true), onFailure: reject }));
};
globalThis.logOut = () => new Promise((resolve) => user.signOut(resolve));`);
