import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import type { OperationName } from '@poolgate/provider';
import { missingForAmazon } from './amazon.ts';
import type { Case, Need, Subject } from './subject.ts';
import { amazonPool, directPool, poolThroughSdk } from './subjects.ts';
import { CASES, listCases, USER_OPERATIONS } from './table.ts';

/** A pool that runs every case. */
interface SubjectKind {
  readonly name: string;
  readonly open: () => Promise<Subject>;
  /** What pools of this kind lack. */
  readonly lacks: readonly Need[];
}

const PLACES: readonly SubjectKind[] = [
  { name: 'the pool', open: directPool, lacks: [] },
  { name: 'the pool through the AWS SDK', open: poolThroughSdk, lacks: [] },
];
const AMAZON: SubjectKind = { name: 'a pool of Amazon', open: amazonPool, lacks: ['codes', 'sms'] };

test('every operation of users, logins, devices, factors, groups and tokens has cases', () => {
  assert.ok(USER_OPERATIONS.length > 50);
  assert.deepEqual(Object.keys(CASES).toSorted(), USER_OPERATIONS.toSorted());
  for (const name of USER_OPERATIONS) assert.notEqual(CASES[name]?.length, 0, name);
});

test('every operation has a case that runs on any pool', () => {
  for (const name of USER_OPERATIONS) {
    assert.ok(
      listCases(name).some(({ needs = [] }) => needs.length === 0),
      name,
    );
  }
});

function declare({ name: place, open, lacks }: SubjectKind): void {
  describe(`on ${place}`, () => {
    let subject: Subject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());
    const isPossible = ({ needs = [] }: Case) => !needs.some((need) => lacks.includes(need));
    for (const operation of USER_OPERATIONS) {
      for (const one of listCases(operation).filter(isPossible)) declareCase(operation, one);
    }
    function declareCase(operation: OperationName, one: Case): void {
      it(`${operation} ${one.does}`, async () => {
        const absent = (one.needs ?? []).filter((need) => !subject.has.has(need));
        assert.deepEqual(absent, [], 'the pool must have what the case needs');
        await one.run(subject);
      });
    }
  });
}

for (const place of PLACES) declare(place);

const missing = missingForAmazon();
if (missing === undefined) declare(AMAZON);
else test('on an Amazon pool', { skip: missing });
