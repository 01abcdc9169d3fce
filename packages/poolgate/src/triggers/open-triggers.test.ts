import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { TriggerEvent } from '@poolgate/pool';
import { StartError } from '../process/start-error.ts';
import { openModuleFunctions } from './module-functions.ts';
import { openTriggers, type TriggerParts } from './open-triggers.ts';

const arn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
const EVENT = { version: '1', request: {}, response: {} } as unknown as TriggerEvent;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

describe('targets that replace the Lambda functions of pools', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-triggers-'));
    file = join(folder, 'functions.mjs');
    await writeFile(
      file,
      "export const named = () => 'named'; export default { nested: () => 'nested' }; export const none = 5;",
    );
  });
  after(() => rm(folder, { recursive: true }));

  const open = (settings: Partial<TriggerParts['settings']>, more: Partial<TriggerParts> = {}) =>
    openTriggers({
      settings: {
        lambdaEndpoint: undefined,
        privateWebhooks: false,
        triggerMap: [],
        triggerModule: undefined,
        triggerSecret: undefined,
        ...settings,
      } as TriggerParts['settings'],
      reloads: false,
      clock: { now: Date.now },
      functions: undefined,
      awsCredentials: undefined,
      ...more,
    });
  const invoke = (invoker: Awaited<ReturnType<typeof open>>, name: string) =>
    invoker.targetOf(arn(name))?.invoke(EVENT, new AbortController().signal, 'call-1');

  it('are functions of the program, by ARN or by the name in the map', async () => {
    const functions = { [arn('direct')]: async () => 'direct', mapped: async () => 'mapped' };
    const invoker = await open({ triggerMap: [`${arn('other')}=mapped`] }, { functions });
    assert.deepEqual(await invoke(invoker, 'direct'), { kind: 'answered', answer: 'direct' });
    assert.deepEqual(await invoke(invoker, 'other'), { kind: 'answered', answer: 'mapped' });
    assert.equal(invoker.targetOf(arn('unmapped')), undefined);
  });

  it('are functions of a module, named or in its default', async () => {
    const triggerMap = [`${arn('a')}=named`, `${arn('b')}=nested`];
    const invoker = await open({ triggerModule: file, triggerMap });
    assert.deepEqual(await invoke(invoker, 'a'), { kind: 'answered', answer: 'named' });
    assert.deepEqual(await invoke(invoker, 'b'), { kind: 'answered', answer: 'nested' });
    const given = { named: async () => 'of the program' };
    const both = await open({ triggerModule: file, triggerMap }, { functions: given });
    assert.deepEqual(await invoke(both, 'a'), { kind: 'answered', answer: 'of the program' });
  });

  it('must exist at the start, which is otherwise refused', async () => {
    const refused = (settings: Partial<TriggerParts['settings']>, message: RegExp, isCaused = false) =>
      assert.rejects(open(settings), (error: StartError) => {
        assert.ok(error instanceof StartError);
        assert.deepEqual([error.code, error.cause instanceof Error], ['setting_refused', isCaused]);
        assert.match(error.message, message);
        return true;
      });
    await refused(
      { triggerModule: join(folder, 'nowhere.mjs') },
      /^POOLGATE_TRIGGERS: cannot be loaded: .*nowhere/,
      true,
    );
    const nothing = /^POOLGATE_TRIGGER_MAP: no module or function is configured for named$/;
    await refused({ triggerMap: [`${arn('a')}=named`] }, nothing);
    for (const name of ['missing', 'none', 'default', 'toString']) {
      const none = `^POOLGATE_TRIGGER_MAP: The module of POOLGATE_TRIGGERS exports no function ${name}$`;
      await refused({ triggerModule: file, triggerMap: [`${arn('a')}=${name}`] }, new RegExp(none));
    }
  });

  it('are URLs on this machine, or anywhere public', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.end(JSON.stringify({ signed: typeof request.headers['webhook-signature'] }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const at = (url: string) => ({ triggerSecret: SECRET, triggerMap: [`${arn('a')}=${url}`] });
    const answered = { kind: 'answered', answer: { signed: 'string' } };
    assert.deepEqual(await invoke(await open(at(`http://127.0.0.1:${port}/`)), 'a'), answered);
    const forbidden = await invoke(await open(at('https://10.0.0.1/')), 'a');
    assert.deepEqual(forbidden, { kind: 'failed', why: 'AccessDeniedException', isWorthRetrying: false });
    // It speaks no TLS, so the call fails, but it is made.
    const inward = await open({ ...at(`https://0.0.0.0:${port}/`), privateWebhooks: true });
    assert.deepEqual(await invoke(inward, 'a'), {
      ...{ kind: 'failed', why: 'ServiceException', isWorthRetrying: true, isRefused: true },
    });
    server.close();
    server.closeAllConnections();
  });

  it('are Lambda functions, called at the configured place', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.url} ${/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1]}`);
      request.resume();
      response.end('{"ok":true}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const lambdaEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const awsCredentials = async () => ({ accessKeyId: 'AKMINE', secretAccessKey: 'x' });
    const invoker = await open({ lambdaEndpoint, triggerMap: [`${arn('mine')}=lambda`] }, { awsCredentials });
    assert.deepEqual(await invoke(invoker, 'mine'), { kind: 'answered', answer: { ok: true } });
    assert.match(asked[0] ?? '', /\/functions\/mine\/invocations AKMINE$/);
    server.close();
    server.closeAllConnections();
  });

  it('are reloaded when their file changes, in development if configured', async () => {
    const changing = join(folder, 'changing.mjs');
    const write = async (text: string, atSeconds: number) => {
      await writeFile(changing, `export const f = () => '${text}'; export const where = () => import.meta.url;`);
      await utimes(changing, atSeconds, atSeconds);
    };
    await write('one', 1_000);
    const [fresh, kept] = [await openModuleFunctions(changing, true), await openModuleFunctions(changing, false)];
    const call = async (functions: typeof fresh, name = 'f') =>
      (await functions.find(name))({} as never, {} as never, undefined as never);
    assert.deepEqual([await call(fresh), await call(kept)], ['one', 'one']);
    assert.equal(await call(fresh, 'where'), pathToFileURL(changing).href, 'it is not loaded twice');
    await write('two', 2_000);
    assert.deepEqual([await call(fresh), await call(kept)], ['two', 'one']);
    assert.equal(await call(fresh), 'two');
    await rm(changing);
    assert.equal(await call(fresh), 'two', 'the latest ones, while the file is written anew');
    await assert.rejects(fresh.find('g'), TypeError);
  });
});
