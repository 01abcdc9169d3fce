/**
 * Starts the service with the triggers of handlers.ts in its process: who signs up is looked at and needs no code, and tokens say to which
 * department a user belongs. Then it signs two people up, logs one of them in, and ends.
 */
import { CognitoIdentityProviderClient, UpdateUserPoolCommand } from '@aws-sdk/client-cognito-identity-provider';
import { start } from 'poolgate';
import * as handlers from './handlers.ts';

const arn = (name: string): string => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

const service = await start({
  databaseUrl: 'sqlite::memory:',
  port: 0,
  triggers: { [arn('preSignUp')]: handlers.preSignUp, [arn('preTokenGeneration')]: handlers.preTokenGeneration },
});

// As with Amazon Cognito, the settings of the pool say which function is called when.
const { id: accessKeyId = '', secret: secretAccessKey = '' } = service.adminKey ?? {};
const admin = new CognitoIdentityProviderClient({
  endpoint: service.url,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey },
});
await admin.send(
  new UpdateUserPoolCommand({
    UserPoolId: service.userPoolId,
    AutoVerifiedAttributes: ['email'],
    LambdaConfig: {
      PreSignUp: arn('preSignUp'),
      PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: arn('preTokenGeneration') },
    },
  }),
);

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const password = 'Correct-Horse1!';
const refused = await post('/register', { email: 'eve@elsewhere.test', password });
const { detail } = (await refused.json()) as { readonly detail: string };
console.log(`eve@elsewhere.test: ${refused.status} ${detail}`);

await post('/register', { email: 'sales.ada@example.com', password });
const login = await post('/login', { username: 'sales.ada@example.com', password });
const { access_token: accessToken = '' } = (await login.json()) as { readonly access_token?: string };
const [, payload = ''] = accessToken.split('.');
const { department, scope } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string>;
console.log(`sales.ada@example.com: department ${department}, scope ${scope}`);

await service.close();
