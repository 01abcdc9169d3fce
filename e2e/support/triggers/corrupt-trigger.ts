import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import * as handlers from '../../../examples/triggers/handlers.ts';
import { mutateReply, PROVIDER_WORDS } from '../provider/mutated-reply.ts';
import type { Picker } from '../requests/picker.ts';
import { addUser, PASSWORD, requireTokens, type TestService } from '../services/test-service.ts';
import { startEndpoint } from './trigger-endpoints.ts';
import { formatTriggerArn, setLambdaConfig, startTriggeredService, toFunctionMap } from './triggered-service.ts';

const ARN = formatTriggerArn('preTokenGeneration');
const LAMBDA_CONFIG = { PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: ARN } };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const USER = 'sales.ada@example.com';
const OTHER = 'bob@example.com';

/** The possible errors of a login with a corrupt trigger; none is a defect of the service. */
const EXPECTED: Readonly<Record<number, string | undefined>> = {
  200: undefined,
  403: 'trigger_refused',
  502: 'provider_error',
  504: 'timeout',
};

/** With more of them the access token of the other user would be too old. */
export const MAX_CORRUPT_ANSWERS = 300;

/**
 * Logs in the given number of times, at most {@link MAX_CORRUPT_ANSWERS}, while the pre-token function returns corrupt replies. At each,
 * another logged-in user sends requests that need no function. Finally it logs in without the function.
 * @returns the number of logins by status
 */
export async function countLoginsByCorruption(count: number, pick: Picker): Promise<ReadonlyMap<number, number>> {
  const liar = await startEndpoint(async (request, response) => {
    const event = JSON.parse(await text(request));
    const body = JSON.stringify(await handlers.preTokenGeneration(event, {} as never, () => {}));
    const lie = mutateReply({ status: 200, headers: {}, body }, pick);
    if (lie === 'reset') return void request.socket.destroy();
    response.writeHead(lie === 'cut' ? 200 : lie.status, { 'content-type': 'application/json' });
    if (lie !== 'cut') return void response.end(lie.body);
    response.write(body.slice(0, 10));
    request.socket.destroy();
  });
  const options = { triggerSecret: SECRET, triggerMap: toFunctionMap(['preTokenGeneration'], () => liar.url) };
  const service = await startTriggeredService({}, options);
  const statuses = new Map<number, number>();
  try {
    await addUser(service, USER);
    await addUser(service, OTHER);
    const authorization = `Bearer ${requireTokens(await logIn(service, OTHER)).access}`;
    await setLambdaConfig(service, LAMBDA_CONFIG);
    for (let lies = 0; lies < count; lies += 1) {
      const [{ status, body, text: shown }, other] = await Promise.all([
        logIn(service),
        service.get('/user/profile', { authorization }),
      ]);
      assert.equal(other.status, 200, other.text);
      assert.ok(status in EXPECTED, shown);
      assert.equal(body.code, EXPECTED[status], shown);
      if (status !== 403) assert.ok(status === 200 || !shown.includes(PROVIDER_WORDS), shown);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A function that fails often is paused for a while, but each corrupt reply must be received.
      service.clock.advance(11_000);
    }
    await setLambdaConfig(service, {});
    assert.equal((await logIn(service)).status, 200);
  } finally {
    await service.close();
    await liar.close();
  }
  return statuses;
}

function logIn(service: TestService, username = USER) {
  return service.post('/login', { username, password: PASSWORD });
}
