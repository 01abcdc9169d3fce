import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../support/guides/example-program.ts';
import { callOperation } from '../support/requests/post-json.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const BARE_SDK = fileURLToPath(new URL('../proofs/bare-sdk.ts', import.meta.url));

let service: TestService;
before(async () => {
  service = await startTestService();
  await addUser(service, 'ada@example.com');
});
after(() => service.close());

it('the program that the gateway is measured against makes the requested calls', async () => {
  const program = await startProgram([BARE_SDK], { PORT: '0', ENDPOINT: service.url });
  try {
    const answer = await callOperation(program.url, 'InitiateAuth', {
      ClientId: service.clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'ada@example.com', PASSWORD },
    });
    const { AuthenticationResult } = answer.body as { AuthenticationResult?: { AccessToken?: string } };
    assert.ok(AuthenticationResult?.AccessToken);
  } finally {
    await program.close();
  }
});
