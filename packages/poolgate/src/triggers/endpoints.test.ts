import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from '@poolgate/pool';
import { isPublicAddress } from '../senders/public-address.ts';
import { createLambdaTargets } from './lambda-target.ts';
import { createUrlTarget } from './url-target.ts';

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:name';
const EVENT = { version: '1', request: {}, response: {} } as unknown as TriggerEvent;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const ENDLESS = 300_000;
/** The maximum response of a function, without the quotation marks. */
const MOST = 262_142;

type Reply = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Gives every request the same response until the test ends. */
async function startServer(context: TestContext, reply: Reply): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => reply(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const invoke = (target: TriggerTarget): Promise<TriggerOutcome> =>
  target.invoke(EVENT, new AbortController().signal, 'call-1');
const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
const lambda = (endpoint: string) => createLambdaTargets({ endpoint, credentials })(ARN);
const url = (at: string, allows: (address: string) => boolean = () => true) =>
  createUrlTarget(at, { secret: SECRET, clock: { now: Date.now }, targets: { allows } });

const SERVICE: TriggerOutcome = { kind: 'failed', why: 'ServiceException', isWorthRetrying: true };

const REFUSED: TriggerOutcome = { ...SERVICE, isRefused: true };
const NOT_FOUND = Object.assign(new Error('none'), { code: 'ENOTFOUND' });

/** Something responded, so the next event may succeed. */
const REACHED: TriggerOutcome = { kind: 'failed', why: 'ServiceException', isWorthRetrying: false, isReached: true };

/** Results of both kinds of endpoint that are no response of a function. */
const BROKEN: Readonly<Record<string, Reply>> = {
  'ends the connection': (response) => response.destroy(),
  'ends it within the answer': (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{');
    setImmediate(() => response.destroy());
  },
};

describe('a function behind a URL', () => {
  const cases: readonly (readonly [string, Reply, TriggerOutcome])[] = [
    ['gives the event back', json(200, EVENT), { kind: 'answered', answer: EVENT }],
    ['answers by another status of success', json(299, EVENT), { kind: 'answered', answer: EVENT }],
    ['answers by more than success', json(300, EVENT), REACHED],
    ['answers as much as it may', json(200, `"${'x'.repeat(MOST)}"`), { kind: 'answered', answer: 'x'.repeat(MOST) }],
    ['answers one more', json(200, `"${'x'.repeat(MOST + 1)}"`), { kind: 'answered', answer: undefined }],
    ['says no', json(422, { errorMessage: 'no' }), { kind: 'refused', message: 'no' }],
    ['says no in no text', json(422, { errorMessage: 5 }), REACHED],
    ['says no as a failure', json(400, { errorMessage: 'no' }), REACHED],
    ['took too long for itself', json(408, {}), { ...REACHED, isWorthRetrying: true }],
    ['says no without words', json(422, {}), REACHED],
    ['answers what is no JSON', json(200, '<html>'), { kind: 'answered', answer: undefined }],
    ['answers too much', json(200, `"${'x'.repeat(ENDLESS)}"`), { kind: 'answered', answer: undefined }],
    ['is not there', json(404, {}), REACHED],
    ['sends elsewhere', json(302, {}, { location: 'http://127.0.0.1:1/' }), REACHED],
    ['stumbles over an event', json(500, {}), { ...REACHED, isWorthRetrying: true }],
    ['finds an event too large', json(413, {}), REACHED],
    ['stands behind what cannot reach it', json(502, {}), SERVICE],
    ['stands behind what waits no longer', json(504, {}), SERVICE],
    ['has a bad moment', json(503, {}), SERVICE],
    ['has too many callers', json(429, {}), SERVICE],
    ...Object.entries(BROKEN).map(([name, reply]) => [name, reply, SERVICE] as const),
  ];
  for (const [name, reply, expected] of cases) {
    it(name, async (context) => {
      assert.deepEqual(await invoke(url(await startServer(context, reply))), expected);
    });
  }

  it('is not called at a private address', async (context) => {
    let calls = 0;
    const at = await startServer(context, (response) => {
      calls += 1;
      json(200, EVENT)(response);
    });
    const outcome = await invoke(url(at, isPublicAddress));
    assert.deepEqual(outcome, { kind: 'failed', why: 'AccessDeniedException', isWorthRetrying: false });
    assert.equal(calls, 0);
  });

  it('receives the same ID on every attempt', async (context) => {
    const ids: unknown[] = [];
    const at = await startServer(context, (response) => {
      ids.push(response.req.headers['webhook-id']);
      json(503, {})(response);
    });
    for (const _try of [1, 2]) await invoke(url(at));
    assert.deepEqual(ids, ['trg_call-1', 'trg_call-1']);
  });

  it('is refused if no connection is made', async (context) => {
    const at = await startServer(context, json(200, EVENT));
    context.mock.method(dns, 'lookup', (...asked: unknown[]) => (asked.at(-1) as (error: Error) => void)(NOT_FOUND));
    assert.deepEqual(await invoke(url('http://nowhere.example/')), REFUSED);
    assert.deepEqual(await invoke(url(at.replace('http:', 'https:'))), REFUSED, 'nor is one that speaks no TLS');
  });

  it('is aborted when the result is no longer needed', async (context) => {
    const at = await startServer(context, () => {});
    const controller = new AbortController();
    const called = url(at).invoke(EVENT, controller.signal, 'call-1');
    controller.abort();
    assert.equal((await called).kind, 'failed');
  });
});

describe('a Lambda function', () => {
  const error = (type: string, status: number): Reply =>
    json(status, { Type: 'User', Message: `about ${ARN}` }, { 'x-amzn-errortype': type });
  const thrown = { 'x-amz-function-error': 'Unhandled' };
  const cases: readonly (readonly [string, Reply, TriggerOutcome])[] = [
    ['gives the event back', json(200, EVENT), { kind: 'answered', answer: EVENT }],
    ['throws', json(200, { errorMessage: 'no', errorType: 'Error' }, thrown), { kind: 'refused', message: 'no' }],
    ['throws without words', json(200, '', thrown), { kind: 'refused', message: 'Unhandled' }],
    ['answers what is no JSON', json(200, '<html>'), { kind: 'answered', answer: undefined }],
    ['answers too much', json(200, `"${'x'.repeat(ENDLESS)}"`), { kind: 'answered', answer: undefined }],
    ['is not there', error('ResourceNotFoundException', 404), { ...REACHED, why: 'ResourceNotFoundException' }],
    ['may not be called', error('AccessDeniedException', 403), { ...REACHED, why: 'AccessDeniedException' }],
    [
      'finds an event too large',
      error('RequestTooLargeException', 413),
      { ...REACHED, why: 'RequestTooLargeException' },
    ],
    [
      'has too many callers',
      error('TooManyRequestsException', 429),
      { kind: 'failed', why: 'TooManyRequestsException', isWorthRetrying: true },
    ],
    ['fails by a name that is none', error('about:someone', 400), SERVICE],
    ...Object.entries(BROKEN).map(([name, reply]) => [name, reply, SERVICE] as const),
  ];
  for (const [name, reply, expected] of cases) {
    it(name, async (context) => {
      assert.deepEqual(await invoke(lambda(await startServer(context, reply))), expected);
    });
  }

  it('is named by its full ARN at Lambda, and by its name at an emulator, which may know no more', async (context) => {
    const asked: (string | undefined)[] = [];
    const regions = new Set<string | undefined>();
    const at = await startServer(context, (response) => {
      asked.push(response.req.url);
      regions.add(/Credential=x\/\d{8}\/([\w-]+)\//.exec(response.req.headers.authorization ?? '')?.[1]);
      json(200, EVENT)(response);
    });
    await invoke(lambda(at));
    await invoke(createLambdaTargets({ endpoint: at, credentials })(`${ARN}:live`));
    // The AWS SDK's own variable moves Lambda itself, as a private endpoint of a network does.
    process.env.AWS_ENDPOINT_URL_LAMBDA = at;
    context.after(() => void delete process.env.AWS_ENDPOINT_URL_LAMBDA);
    await invoke(createLambdaTargets({ credentials })(ARN));
    const path = (name: string) => `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`;
    assert.deepEqual(asked, [path('name'), `${path('name')}?Qualifier=live`, path(ARN)]);
    assert.deepEqual(regions, new Set(['us-east-1']), 'the region is that of the ARN');
  });

  it('is called once per attempt, over the connection of its region', async (context) => {
    const sockets: unknown[] = [];
    const endpoint = await startServer(context, (response) => {
      sockets.push(response.req.socket);
      error('ServiceException', 500)(response);
    });
    const target = createLambdaTargets({ endpoint, credentials });
    for (const name of [ARN, `${ARN}2`]) {
      assert.deepEqual(await invoke(target(name)), SERVICE);
      await turn();
    }
    assert.deepEqual([sockets.length, new Set(sockets).size], [2, 1]);
  });

  it('is refused if no connection is made', async (context) => {
    context.mock.method(dns, 'lookup', (...asked: unknown[]) => (asked.at(-1) as (error: Error) => void)(NOT_FOUND));
    assert.deepEqual(await invoke(lambda('http://lambda.example')), REFUSED);
  });

  it('fails only with names from Lambda', async (context) => {
    const endpoint = await startServer(context, json(200, EVENT));
    const failing = async () => {
      throw Object.assign(new Error('none'), { name: 'OddException' });
    };
    assert.deepEqual(await invoke(createLambdaTargets({ endpoint, credentials: failing })(ARN)), SERVICE);
  });

  it('has two seconds for the connection, and six for its response', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const silent = await startServer(context, () => ask());
    const { promise: isLookedUp, resolve: lookUp } = Promise.withResolvers<void>();
    context.mock.method(dns, 'lookup', () => lookUp());
    for (const [endpoint, isUnderWay, ms] of [
      ['http://lambda.example', isLookedUp, 2_000],
      [silent, isAsked, 6_000],
    ] as const) {
      let outcome: TriggerOutcome | undefined;
      const called = invoke(lambda(endpoint)).then((ended) => {
        outcome = ended;
      });
      await isUnderWay;
      for (const part of [1_000, ms - 1_001]) context.mock.timers.tick(part);
      await turn();
      assert.equal(outcome, undefined);
      context.mock.timers.tick(1);
      await called;
      assert.deepEqual(outcome, SERVICE);
    }
  });
});
