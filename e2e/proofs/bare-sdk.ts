/** Only the calls of the AWS SDK: a request names an operation as at the Cognito-compatible API, and the SDK calls it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
} from '@aws-sdk/client-cognito-identity-provider';

const { PORT, ENDPOINT = '' } = process.env;
const client = new CognitoIdentityProviderClient({ endpoint: ENDPOINT, region: 'us-east-1', maxAttempts: 1 });

const CALLS: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
  InitiateAuth: (input) => client.send(new InitiateAuthCommand(input)),
  RespondToAuthChallenge: (input) => client.send(new RespondToAuthChallengeCommand(input)),
};

const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  const call = CALLS[String(request.headers['x-amz-target']).split('.')[1] ?? ''];
  try {
    response.end(JSON.stringify(call === undefined ? {} : await call(JSON.parse(text) as never)));
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
