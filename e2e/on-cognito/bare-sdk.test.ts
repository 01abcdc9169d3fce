import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { callOperation } from '../support/http.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/test-service.ts';

const BARE_SDK = fileURLToPath(new URL('../proofs/bare-sdk.ts', import.meta.url));

let service: TestService;
before(async () => {
  service = await startTestService();
  await addUser(service, 'ada@example.com');
});
after(() => service.close());

it('the program that the gateway is measured against makes the calls that it is asked for', async () => {
  const port = await freePort();
  const environment = { PATH: process.env.PATH, PORT: String(port), ENDPOINT: service.url };
  const program = spawn(process.execPath, [BARE_SDK], { env: environment, stdio: 'inherit' });
  const ended = once(program, 'exit');
  try {
    const url = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(url).then(
        () => true,
        () => false,
      ))
    )
      await wait(20);
    const answer = await callOperation(url, 'InitiateAuth', {
      ClientId: service.clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'ada@example.com', PASSWORD },
    });
    const { AuthenticationResult } = answer.body as { AuthenticationResult?: { AccessToken?: string } };
    assert.ok(AuthenticationResult?.AccessToken);
  } finally {
    program.kill();
    await ended;
  }
});
