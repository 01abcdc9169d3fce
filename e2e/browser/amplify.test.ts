import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DEMO_USER } from 'poolgate';
import { openSite } from '../support/browser/passkey-site.ts';
import type { WebFile } from '../support/browser/web-site.ts';
import type { AmplifyInPage } from './amplify-page.ts';

declare global {
  /** Set by the bundle in the page. */
  var amplifyInPage: AmplifyInPage;
}

const PAGE = '<!doctype html><title>Amplify</title><script src="/amplify.js"></script>';

/** A site whose page contains Amplify, as a web application would bundle it. */
async function amplifySite(): Promise<Readonly<Record<string, WebFile>>> {
  const entry = fileURLToPath(new URL('amplify-page.ts', import.meta.url));
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, format: 'iife', platform: 'browser' },
  });
  return {
    '/': { type: 'text/html', text: PAGE },
    '/amplify.js': { type: 'text/javascript', text: outputFiles[0]?.text ?? '' },
  };
}

it('unmodified aws-amplify registers, lists, uses and removes a passkey in a browser', async (t) => {
  const { service, page, errors, device } = await openSite(t, await amplifySite());

  const userPool = {
    userPoolId: service.userPoolId,
    userPoolClientId: service.clientId,
    userPoolEndpoint: `${service.url}/`,
  };
  const { email: username, password } = DEMO_USER;
  await page.evaluate((Cognito) => amplifyInPage.configure({ Auth: { Cognito } }), userPool);
  const byPassword = await page.evaluate(
    (login) => amplifyInPage.signIn({ ...login, options: { authFlowType: 'USER_SRP_AUTH' } }),
    { username, password },
  );
  assert.equal(byPassword.nextStep.signInStep, 'DONE');

  await page.evaluate(() => amplifyInPage.associateWebAuthnCredential());
  assert.equal((await device.credentials()).length, 1);
  const listed = await page.evaluate(() => amplifyInPage.listWebAuthnCredentials());
  assert.equal(listed.credentials.length, 1);
  const [shown] = listed.credentials;
  assert.deepEqual([shown?.relyingPartyId, shown?.authenticatorAttachment], ['localhost', 'platform']);
  assert.ok(shown?.friendlyCredentialName && shown.createdAt instanceof Date);
  await page.evaluate(() => amplifyInPage.signOut());

  const byPasskey = await page.evaluate(
    (name) =>
      amplifyInPage.signIn({
        username: name,
        options: { authFlowType: 'USER_AUTH', preferredChallenge: 'WEB_AUTHN' },
      }),
    username,
  );
  assert.deepEqual([byPasskey.isSignedIn, byPasskey.nextStep.signInStep], [true, 'DONE']);
  const { signInDetails } = await page.evaluate(() => amplifyInPage.getCurrentUser());
  assert.equal(signInDetails?.loginId, username);

  await page.evaluate(
    (credentialId) => amplifyInPage.deleteWebAuthnCredential({ credentialId }),
    shown?.credentialId ?? '',
  );
  assert.deepEqual((await page.evaluate(() => amplifyInPage.listWebAuthnCredentials())).credentials, []);
  assert.deepEqual(errors, []);
});
