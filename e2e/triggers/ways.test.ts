import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StartError, type StartOptions, start } from 'poolgate';
import * as handlers from '../../examples/triggers/handlers.ts';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { assertHandlersWork, createHandlersConfig, HANDLER_NAMES } from '../support/guides/example-handlers.ts';
import { addUser, assertProblem, PASSWORD, requireTokens, type TestService } from '../support/services/test-service.ts';
import { type Endpoint, startLambdaEndpoint, startUrlEndpoint } from '../support/triggers/trigger-endpoints.ts';
import {
  formatTriggerArn,
  setLambdaConfig,
  startTriggeredService,
  toFunctionMap,
} from '../support/triggers/triggered-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const HANDLERS = fileURLToPath(new URL('../../examples/triggers/handlers.ts', import.meta.url));
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const NAMES = HANDLER_NAMES;
const LAMBDA_CONFIG = createHandlersConfig();
const credentials = async () => ({ accessKeyId: 'emulator', secretAccessKey: 'emulator' });

describe('one file of handlers', () => {
  let lambda: Endpoint;
  let url: Endpoint;
  const services: TestService[] = [];
  before(async () => {
    lambda = await startLambdaEndpoint(handlers);
    url = await startUrlEndpoint(handlers, SECRET);
  });
  after(async () => {
    for (const service of services) await service.close();
    await lambda.close();
    await url.close();
  });

  const ways: Readonly<Record<string, () => StartOptions>> = {
    'as a module': () => ({ triggerModule: HANDLERS, triggerMap: toFunctionMap(NAMES, (name) => name) }),
    'given to start() by name': () => ({ triggers: handlers, triggerMap: toFunctionMap(NAMES, (name) => name) }),
    'given to start() by ARN': () => ({
      triggers: Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [formatTriggerArn(name), handler]),
      ),
    }),
    'behind a URL': () => ({ triggerSecret: SECRET, triggerMap: toFunctionMap(NAMES, (name) => `${url.url}/${name}`) }),
    'by Invoke': () => ({
      awsCredentials: credentials,
      lambdaEndpoint: lambda.url,
      triggerMap: toFunctionMap(NAMES, () => 'lambda'),
    }),
  };
  for (const [way, options] of Object.entries(ways)) {
    it(`refuses, accepts and gives the same tokens ${way}`, async () => {
      const service = await startTriggeredService(LAMBDA_CONFIG, options());
      services.push(service);
      await assertHandlersWork(service);
    });
  }
});

describe('the called function', () => {
  it('must be mapped, whatever the settings of the pool name', async () => {
    const service = await startTriggeredService({ PreAuthentication: formatTriggerArn('preAuthentication') });
    const answer = await service.post('/login', { username: 'ada@example.com', password: PASSWORD });
    assertProblem(answer, 502, 'provider_error');
    const direct = await service.call('InitiateAuth', {
      ClientId: service.clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'ada@example.com', PASSWORD },
    });
    assert.equal(direct.status, 400);
    assert.equal(direct.body.__type, 'UnexpectedLambdaException');
    await service.close();
  });

  it('must be a receiver that can prove itself by its signature', async () => {
    const receiver = await startUrlEndpoint(handlers, `whsec_${Buffer.alloc(32, 8).toString('base64')}`);
    const triggerMap = toFunctionMap(['preSignUp'], (name) => `${receiver.url}/${name}`);
    const service = await startTriggeredService(LAMBDA_CONFIG, { triggerSecret: SECRET, triggerMap });
    const answer = await service.post('/register', { email: 'ada@example.com', password: PASSWORD });
    assertProblem(answer, 502, 'provider_error');
    await service.close();
    await receiver.close();
  });

  it('follows the file in development', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'poolgate-triggers-'));
    const file = join(folder, 'handlers.mjs');
    const write = (claim: string, seconds: number) =>
      writeFile(
        file,
        `export const claims = async (event) => ({ ...event, response: { claimsOverrideDetails: { claimsToAddOrOverride: { claim: '${claim}' } } } });`,
      ).then(() => utimes(file, seconds, seconds));
    await write('first', 1_000);
    const options = { triggerModule: file, triggerMap: toFunctionMap(['claims'], (name) => name) };
    const service = await startTriggeredService({ PreTokenGeneration: formatTriggerArn('claims') }, options);
    const email = 'ada@example.com';
    await addUser(service, email);
    const claim = async () =>
      decodeTokenPart(requireTokens(await service.post('/login', { username: email, password: PASSWORD })).id, 1).claim;
    assert.equal(await claim(), 'first');
    await write('second', 2_000);
    assert.equal(await claim(), 'second');
    assert.match(await readFile(file, 'utf8'), /second/);
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('must exist when the service starts', async () => {
    const map = toFunctionMap(['preSignUp'], () => 'missing');
    for (const options of [
      { triggerMap: map },
      { triggerMap: map, triggerModule: HANDLERS },
      { triggerModule: './no-such-file.ts' },
    ]) {
      const starting = start({ databaseUrl: 'sqlite::memory:', port: 0, ...options });
      await assert.rejects(starting, (error) => error instanceof StartError && error.code === 'setting_refused');
    }
  });
});

describe('groups that a trigger sets', () => {
  it('appear in tokens, and give no access to administration or an application behind forward authentication', async () => {
    const options: StartOptions = {
      adminGroups: ['ops'],
      triggers: {
        [formatTriggerArn('groups')]: async (event: { response: object }) => {
          event.response = { claimsOverrideDetails: { groupOverrideDetails: { groupsToOverride: ['ops'] } } };
          return event;
        },
      },
    };
    const service = await startTriggeredService({ PreTokenGeneration: formatTriggerArn('groups') }, options);
    await addUser(service, 'ada@example.com');
    const { access } = requireTokens(await service.post('/login', { username: 'ada@example.com', password: PASSWORD }));
    assert.deepEqual(decodeTokenPart(access, 1)['cognito:groups'], ['ops']);
    const asUser = { authorization: `Bearer ${access}` };
    const answer = await service.post('/user/mfa/disable', { username: 'ada@example.com' }, asUser);
    assertProblem(answer, 403, 'forbidden');
    const made = await service.post('/admin/groups', { group_name: 'staff' }, service.asAdmin);
    assert.equal(made.status, 201, made.text);
    await service.post('/admin/users/ada@example.com/groups', { group_name: 'staff' }, service.asAdmin);
    const browser = new CookieBrowser(service);
    await browser.logIn('ada@example.com');
    assert.deepEqual(Object((await browser.session()).body.user).groups, ['ops'], 'the tokens say it');
    assertProblem(await browser.get('/forward-auth?group=ops'), 403, 'forbidden');
    const inside = await browser.get('/forward-auth?group=staff');
    assert.deepEqual([inside.status, inside.headers['x-poolgate-groups']], [204, 'staff']);
    await setLambdaConfig(service, {});
    await service.close();
  });
});
