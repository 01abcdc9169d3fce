import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { SrpRunner } from './srp-runner.ts';
import { createWorkerStarter } from './start-worker.ts';
import type { WorkerReply, WorkerRequest } from './worker-messages.ts';
import { createWorkerRunner } from './worker-runner.ts';

/** A worker as its page sees it. It computes nothing. */
class FakeWorker {
  readonly asked: WorkerRequest[] = [];
  isEnded = false;
  onmessage: ((event: { data: WorkerReply }) => void) | null = null;
  onerror: ((event: { preventDefault(): void }) => void) | null = null;

  postMessage(request: WorkerRequest): void {
    this.asked.push(request);
  }

  terminate(): void {
    this.isEnded = true;
  }
}

function setting(start?: () => Worker) {
  const worker = new FakeWorker();
  const instead: string[] = [];
  const state = { started: 0 };
  const fallback = (async (task: string) => {
    instead.push(task);
    if (task === 'verifier') throw new RangeError('no verifier');
    return 'computed here';
  }) as unknown as SrpRunner;
  const starter = () => {
    state.started += 1;
    return start === undefined ? (worker as unknown as Worker) : start();
  };
  return { worker, instead, state, run: createWorkerRunner(starter, fallback) };
}

const DEVICE = { deviceKey: 'key', deviceGroupKey: 'group' };

describe('SRP in a worker', () => {
  it('starts once, numbers its tasks, and matches each reply to its task', async () => {
    const { worker, instead, state, run } = setting();
    const [first, second] = [run('start', null), run('device', DEVICE)];
    assert.deepEqual(worker.asked, [
      { id: 0, task: 'start', input: null },
      { id: 1, task: 'device', input: DEVICE },
    ]);
    worker.onmessage?.({ data: { id: 1, output: 'of the device' } });
    worker.onmessage?.({ data: { id: 7, output: 'of nobody' } });
    worker.onmessage?.({ data: { id: 0, output: 'of the start' } });
    assert.deepEqual(await Promise.all([first, second]), ['of the start', 'of the device']);
    assert.deepEqual([state.started, instead], [1, []]);
  });

  it('returns the output of each task, or the reason why it is missing', async (context) => {
    const replies: WorkerReply[] = [];
    const scope = globalThis as unknown as {
      onmessage?: (event: { readonly data: object }) => void;
      postMessage?: (reply: WorkerReply) => void;
    };
    context.after(() => {
      delete scope.onmessage;
      delete scope.postMessage;
    });
    scope.postMessage = (reply) => void replies.push(reply);
    await import('../srp-worker.ts');
    scope.onmessage?.({ data: { id: 3, task: 'device', input: DEVICE } });
    scope.onmessage?.({ data: { id: 4, task: 'prove', input: { srpBHex: '0' } } });
    const [made, failed] = replies;
    const { config = {} } = (made?.output ?? {}) as { readonly config?: object };
    assert.deepEqual([made?.id, Object.keys(config)], [3, ['Salt', 'PasswordVerifier']]);
    assert.deepEqual([failed?.id, failed?.output, typeof failed?.fault], [4, undefined, 'string']);
  });

  it('reports violations of the SRP rules by the service', async () => {
    const { worker, run } = setting();
    const asked = run('start', null);
    worker.onmessage?.({ data: { id: 0, fault: 'B is zero' } });
    await assert.rejects(asked, { code: 'unexpected_answer', message: 'B is zero' });
  });

  it('falls back to the page if the worker cannot be loaded, including for pending tasks', async () => {
    const { worker, instead, state, run } = setting();
    const [first, failing] = [run('start', null), run('verifier', {} as never)];
    const prevented: string[] = [];
    worker.onerror?.({ preventDefault: () => void prevented.push('once') });
    assert.equal(await first, 'computed here');
    await assert.rejects(failing, RangeError);
    assert.deepEqual([prevented, worker.isEnded], [['once'], true]);
    worker.onerror?.({ preventDefault: () => void prevented.push('twice') });
    assert.deepEqual(prevented, ['once', 'twice']);
    assert.equal(await run('device', DEVICE), 'computed here');
    assert.deepEqual([instead, state.started, worker.asked.length], [['start', 'verifier', 'device'], 1, 2]);
  });

  it('falls back to the page where workers are forbidden, and does not try again', async () => {
    const { run, state, instead } = setting(() => {
      throw new DOMException('no', 'SecurityError');
    });
    assert.equal(await run('start', null), 'computed here');
    assert.equal(await run('start', null), 'computed here');
    assert.deepEqual([state.started, instead], [1, ['start', 'start']]);
  });
});

describe('the worker of a page', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'Worker');
    Reflect.deleteProperty(globalThis, 'trustedTypes');
  });

  it('is loaded from next to the client or from the given URL, which one policy trusts', () => {
    assert.equal(createWorkerStarter('/w.js'), undefined);
    const made: [url: unknown, options: unknown][] = [];
    class Made {
      constructor(url: unknown, options: unknown) {
        made.push([url, options]);
      }
    }
    Object.assign(globalThis, { Worker: Made });
    createWorkerStarter('/w.js')?.();
    createWorkerStarter(undefined)?.();
    const options = { type: 'module', name: 'poolgate-client' };
    assert.deepEqual(made[0], ['/w.js', options]);
    assert.match(String(made[1]?.[0]), /^file:.*\/srp-worker\.js$/);
    const policies: string[] = [];
    const createPolicy = (name: string, { createScriptURL }: { createScriptURL(url: string): string }) => {
      policies.push(name);
      return { createScriptURL: (url: string) => `trusted ${createScriptURL(url)}` };
    };
    Object.assign(globalThis, { trustedTypes: { createPolicy } });
    createWorkerStarter('/w.js')?.();
    createWorkerStarter('/w.js')?.();
    assert.deepEqual([made[2]?.[0], made[3]?.[0], policies], ['trusted /w.js', 'trusted /w.js', ['poolgate-client']]);
  });
});
