import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, fetchUserAttributes, signIn, signOut } from 'aws-amplify/auth';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import { createTestOperator } from '../../packages/poolgate/src/commands/testing/test-operator.ts';
import { PASSWORD, readSignInStep } from '../support/clients/amplify.ts';

const username = 'ada@example.com';
const FILE = `
pools:
  shop:
    UsernameAttributes: [email]
    Policies: { SignInPolicy: { AllowedFirstAuthFactors: [PASSWORD, EMAIL_OTP] } }
    Domains: { shop-amplify: {} }
    Clients:
      worker: { GenerateSecret: true }
      web:
        ExplicitAuthFlows: [ALLOW_USER_AUTH, ALLOW_USER_SRP_AUTH, ALLOW_REFRESH_TOKEN_AUTH]
        CallbackURLs: [https://shop.example/back]
        AllowedOAuthFlows: [code]
        AllowedOAuthFlowsUserPoolClient: true
        AllowedOAuthScopes: [openid]
        SupportedIdentityProviders: [COGNITO]
    Groups: { crew: {} }
    Users:
      ${username}:
        Password: !Env PASSWORD
        UserAttributes: [{ Name: email, Value: ${username} }, { Name: email_verified, Value: "true" }]
        Groups: [crew]
`;

it('unmodified aws-amplify signs in with the outputs of an apply and the line that sets the endpoint', async (context) => {
  const operator = await createTestOperator(context, { PASSWORD });
  const service = await operator.serve();
  const path = join(operator.folder, 'shop.yaml');
  await writeFile(path, FILE);
  const { exitCode, out, err } = await operator.runPoolgate(['apply', path, '--output', 'amplify']);
  assert.equal(exitCode, 0, err);
  const [, line = ''] = /^Set the address in your app: (.+)$/m.exec(err) ?? [];
  // The command knows the port only where it is configured.
  const configure = new Function(
    'parseAmplifyConfig',
    'Amplify',
    'outputs',
    line.replace('http://localhost:0', service.url),
  );
  configure(parseAmplifyConfig, Amplify, JSON.parse(out.join('\n')));
  for (const options of [
    { authFlowType: 'USER_SRP_AUTH' },
    { authFlowType: 'USER_AUTH', preferredChallenge: 'PASSWORD_SRP' },
  ] as const) {
    assert.equal(readSignInStep(await signIn({ username, password: PASSWORD, options })), 'DONE');
    const { tokens } = await fetchAuthSession();
    assert.deepEqual(tokens?.accessToken.payload['cognito:groups'], ['crew']);
    assert.equal((await fetchUserAttributes()).email, username);
    await signOut();
  }
});
