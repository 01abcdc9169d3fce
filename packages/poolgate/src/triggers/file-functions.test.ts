import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StartError } from '../process/start-error.ts';
import { openFileFunctions } from './file-functions.ts';
import { openTriggers, type TriggerParts } from './open-triggers.ts';

const arn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

describe('functions in files', () => {
  let folder: string;
  /** The path that an operator writes: relative to the working directory. */
  const toPath = (name: string) => `./${relative(process.cwd(), join(folder, name))}`;
  let seconds = 1_000;
  const write = async (name: string, text: string) => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    seconds += 1;
    await utimes(file, seconds, seconds);
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-files-'));
  });
  after(() => rm(folder, { recursive: true }));

  const open = (reloads: boolean, ...triggerMap: readonly string[]) =>
    openTriggers({
      settings: { triggerMap, triggerModule: undefined } as unknown as TriggerParts['settings'],
      reloads,
      clock: { now: Date.now },
      functions: undefined,
      awsCredentials: undefined,
    });
  const invoke = async (invoker: Awaited<ReturnType<typeof open>>, name: string) =>
    invoker.targetOf(arn(name))?.invoke({} as never, new AbortController().signal, 'call-1');
  const answered = (answer: string) => ({ kind: 'answered', answer });

  it('are each mapped to an ARN, by file and name', async () => {
    await write('functions/one.mjs', "export const handler = async () => 'one'; export const other = () => 'other';");
    await write('functions/two.cjs', "exports.handler = async () => 'two';");
    await write('functions/three.ts', "export const handler = async (): Promise<string> => 'three';");
    const map = ['one.mjs#handler', 'one.mjs#other', 'two.cjs#handler', 'three.ts#handler'];
    const entries = map.map((target, at) => `${arn(String(at))}=${toPath(`functions/${target}`)}`);
    for (const reloads of [true, false]) {
      const invoker = await open(reloads, ...entries);
      const answers = await Promise.all(map.map((_, at) => invoke(invoker, String(at))));
      assert.deepEqual(answers, ['one', 'other', 'two', 'three'].map(answered));
    }
  });

  it('must exist at the start, which is otherwise refused with the path', async () => {
    await write('broken.mjs', 'export const handler = ;');
    const refused = (target: string, message: RegExp) =>
      assert.rejects(open(true, `${arn('a')}=${toPath(target)}`), (error: StartError) => {
        assert.ok(error instanceof StartError);
        assert.match(error.message, message);
        return error.code === 'setting_refused';
      });
    await refused('nowhere.mjs#handler', /^POOLGATE_TRIGGER_MAP: \.\/.*nowhere\.mjs cannot be loaded: /);
    await refused('broken.mjs#handler', /^POOLGATE_TRIGGER_MAP: \.\/.*broken\.mjs cannot be loaded: /);
    await write('empty.mjs', '');
    await refused('empty.mjs#handler', /^POOLGATE_TRIGGER_MAP: \.\/.*empty\.mjs exports no function handler$/);
  });

  it('are reloaded together with what they import, once per change', async () => {
    await write('app/deep.mjs', "export const word = 'deep 1';");
    await write('app/near.mjs', "export { word } from './deep.mjs';");
    await write(
      'app/index.mjs',
      "import { word } from './near.mjs'; let n = 0; export const handler = () => word + ' ' + ++n;",
    );
    const invoker = await open(true, `${arn('a')}=${toPath('app/index.mjs#handler')}`);
    assert.deepEqual(await invoke(invoker, 'a'), answered('deep 1 1'));
    assert.deepEqual(await invoke(invoker, 'a'), answered('deep 1 2'), 'nothing has changed');
    await write('app/deep.mjs', "export const word = 'deep 2';");
    assert.deepEqual(await invoke(invoker, 'a'), answered('deep 2 1'));
    await write('app/near.mjs', "export const word = 'near';");
    assert.deepEqual(await invoke(invoker, 'a'), answered('near 1'));
    await write('app/deep.mjs', "export const word = 'deep 3';");
    assert.deepEqual(await invoke(invoker, 'a'), answered('near 2'), 'it is imported no longer');
    await write('app/index.mjs', "export const handler = () => 'index';");
    assert.deepEqual(await invoke(invoker, 'a'), answered('index'));
  });

  it('are reloaded with what they require', async () => {
    await write('old/deep.cjs', "module.exports = 'deep 1';");
    await write('old/near.cjs', "module.exports = require('./deep.cjs');");
    await write('old/index.cjs', "exports.handler = async () => require('./near.cjs');");
    const invoker = await open(true, `${arn('a')}=${toPath('old/index.cjs#handler')}`);
    await write('old/index.cjs', "const word = require('./near.cjs'); exports.handler = async () => word;");
    assert.deepEqual(await invoke(invoker, 'a'), answered('deep 1'));
    await write('old/deep.cjs', "module.exports = 'deep 2';");
    assert.deepEqual(await invoke(invoker, 'a'), answered('deep 2'));
  });

  it('stay the same while a file is written, and fail while it cannot be loaded', async () => {
    await write('edited.mjs', "export const handler = () => 'one';");
    const functions = openFileFunctions(toPath('edited.mjs'), true);
    const call = async () => (await functions.find('handler'))({} as never, {} as never, {} as never);
    assert.equal(await call(), 'one');
    await rm(join(folder, 'edited.mjs'));
    assert.equal(await call(), 'one');
    await write('edited.mjs', 'export const handler = ;');
    await assert.rejects(call, /edited\.mjs cannot be loaded/);
    await write('edited.mjs', "export const handler = () => 'two';");
    assert.equal(await call(), 'two');
  });

  it('are not reloaded in production', async () => {
    await write('stable.mjs', "export const handler = () => 'one';");
    const invoker = await open(false, `${arn('a')}=${toPath('stable.mjs#handler')}`);
    await write('stable.mjs', "export const handler = () => 'two';");
    assert.deepEqual(await invoke(invoker, 'a'), answered('one'));
  });
});
