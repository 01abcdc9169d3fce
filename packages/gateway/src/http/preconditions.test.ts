import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createMovableClock, createTestDeps } from '../testing/gateway-deps.ts';
import { createIdempotencyRecords } from '../testing/idempotency-records.ts';
import { changeIfUnmodified, createEntityTag } from './preconditions.ts';

const around = { status: 'success', message: 'The group.', data: {} };

/** One resource that two replicas change. */
function setting() {
  const clock = createMovableClock();
  const records = createIdempotencyRecords();
  const resource = { name: 'staff', value: 0 };
  const changes: number[] = [];
  const read = async () => ({ status: 200, body: { ...around, group: { ...resource } } });
  const readTag = async () => createEntityTag((await read()).body);
  return {
    ...{ clock, records, resource, changes, readTag },
    change: (ifMatch: string, value: number, meanwhile?: () => Promise<void>) =>
      changeIfUnmodified(createTestDeps({ clock, records }), { ifMatch, read }, async () => {
        await meanwhile?.();
        changes.push(value);
        resource.value = value;
        return read();
      }),
  };
}

const refused = (code: string) => (error: unknown) => error instanceof GatewayError && error.code === code;
const failed = refused('precondition_failed');

test('an entity tag tells two versions of a resource apart, and nothing else', () => {
  const tag = createEntityTag({ ...around, group: { name: 'a', list: [1, 2], more: { x: 1, y: null } } });
  assert.match(tag, /^"[\w-]{43}"$/);
  const sameInOtherOrder = { group: { more: { y: null, x: 1 }, list: [1, 2], name: 'a' }, ...around, message: 'Other' };
  assert.equal(createEntityTag(sameInOtherOrder), tag);
  for (const group of [
    { name: 'b', list: [1, 2], more: { x: 1, y: null } },
    { name: 'a', list: [2, 1], more: { x: 1, y: null } },
    { name: 'a', list: [1, 2], more: { x: 1 } },
  ])
    assert.notEqual(createEntityTag({ ...around, group }), tag);
});

test('a change is made to the version that its sender has read, and to no other', async () => {
  const { change, changes, readTag, records } = setting();
  const first = await readTag();
  assert.equal((await change(first, 1)).status, 200);
  await assert.rejects(change(first, 2), failed);
  await assert.rejects(change(`W/${await readTag()}`, 2), failed, 'a weak tag');
  await assert.rejects(change('"other"', 2), failed);
  await change(`"other" , ${await readTag()}`, 3);
  await change(`, ${await readTag()},`, 4);
  assert.deepEqual(changes, [1, 3, 4]);
  assert.equal(records.claims.size, 0);
});

test('changes to any version are all made', async () => {
  const { change, changes } = setting();
  await Promise.all([change('*', 1), change('*', 2)]);
  assert.deepEqual(changes, [1, 2]);
});

test('the result of a change counts, although its claim could not be released', async () => {
  const { change, changes, readTag, records } = setting();
  records.idempotencyKeys.release = () => Promise.reject(new Error('away'));
  assert.equal((await change(await readTag(), 1)).status, 200);
  assert.deepEqual(changes, [1]);
});

test('a malformed header is refused', async () => {
  const { change, changes, readTag } = setting();
  const tag = await readTag();
  for (const wrong of ['', tag.slice(1), tag.replaceAll('"', ''), ',', `${tag} ${tag}`, `*, ${tag}`, '"a\u0001"'])
    await assert.rejects(change(wrong, 1), refused('malformed_request'), wrong);
  await assert.rejects(change(`"${'x'.repeat(2_000)}"`, 1), refused('malformed_request'));
  assert.deepEqual(changes, []);
});

test('of many changes to one version at the same time, one is made', async () => {
  const { change, changes, readTag } = setting();
  const tag = await readTag();
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((value) => change(tag, value)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const result of results) if (result.status === 'rejected') assert.ok(failed(result.reason));
  assert.equal(changes.length, 1);
});

test('a refused change leaves the version free, and a crashed process blocks it for two minutes at most', async () => {
  const { change, changes, readTag, clock } = setting();
  const tag = await readTag();
  await assert.rejects(
    change(tag, 1, () => Promise.reject(new GatewayError('validation_failed'))),
    refused('validation_failed'),
  );
  const crashed = Promise.withResolvers<void>();
  const hanging = change(tag, 2, () => crashed.promise);
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(change(tag, 3), failed);
  clock.nowMs += 120_000;
  await change(tag, 4);
  assert.deepEqual(changes, [4]);
  crashed.reject(new GatewayError('unavailable'));
  await assert.rejects(hanging, refused('unavailable'));
});
