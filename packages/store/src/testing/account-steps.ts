import type { GroupRecord, SearchableAttribute } from '@poolgate/pool/store';
import fc from 'fast-check';
import {
  createReadStep,
  createWriteStep,
  idArbitrary,
  ownedStepInput,
  ownerArbitrary,
  type Step,
  timeArbitrary,
} from './property-steps.ts';
import {
  sampleEvent,
  sampleGroup,
  sampleIdempotencyClaim,
  sampleNotMeLink,
  sampleWebhook,
} from './sample-account-records.ts';

/** Names and values that collations, case and encodings could confuse. */
export const GROUP_NAMES = ['a', 'B', 'é', 'e\u0301', '🦊', '~'] as const;

const groupName = fc.constantFrom(...GROUP_NAMES);

/** Values of attributes, and prefixes of them. */
export const SEARCHED = [
  '',
  'a',
  'A',
  'ab',
  'aß',
  'ASS',
  'é',
  '\u{10ffff}',
  'a\u{10ffff}',
  '🦊',
  '\ud7ff',
  'ΣΑΣ',
  'σας',
];

const searchedAttribute = fc.constantFrom<SearchableAttribute>('email', 'name', 'family_name', 'username', 'status');

const groupChange: fc.Arbitrary<Partial<GroupRecord>> = fc.record(
  {
    precedence: fc.option(fc.integer({ min: 0, max: 2 }), { nil: null }),
    description: fc.option(fc.string({ unit: 'grapheme', maxLength: 5 }), { nil: null }),
    roleArn: fc.option(fc.constant('arn'), { nil: null }),
  },
  { requiredKeys: [] },
);

const grouped = fc.record({ name: groupName, username: ownerArbitrary, time: timeArbitrary, change: groupChange });

const searched = fc.record({
  username: ownerArbitrary,
  attribute: searchedAttribute,
  match: fc.constantFrom('equals' as const, 'prefix' as const),
  value: fc.constantFrom(...SEARCHED),
  other: fc.constantFrom(...SEARCHED),
  limit: fc.integer({ min: 1, max: 3 }),
});

const groupSteps: readonly fc.Arbitrary<Step>[] = [
  grouped.map(
    createWriteStep(
      'insertGroup',
      (drawn) => (transaction, pool) =>
        transaction.groups.insert({ ...sampleGroup(pool, drawn.name), ...drawn.change, createdAtMs: drawn.time }),
    ),
  ),
  grouped.map(
    createWriteStep(
      'updateGroup',
      (drawn) => (transaction, pool) =>
        transaction.groups.update(pool, drawn.name, { ...drawn.change, modifiedAtMs: drawn.time }),
    ),
  ),
  grouped.map(
    createWriteStep('deleteGroup', (drawn) => (transaction, pool) => transaction.groups.delete(pool, drawn.name)),
  ),
  grouped.map(
    createWriteStep(
      'addGroupMember',
      (drawn) => (transaction, pool) => transaction.groups.addMember(pool, drawn.name, drawn.username, drawn.time),
    ),
  ),
  grouped.map(
    createWriteStep(
      'removeGroupMember',
      (drawn) => (transaction, pool) => transaction.groups.removeMember(pool, drawn.name, drawn.username),
    ),
  ),
  grouped.map(
    createWriteStep('groups', (drawn) => async (transaction, pool) => [
      await transaction.groups.lockAndCount(pool),
      await transaction.groups.listOf(pool, drawn.username, 2, undefined),
      await transaction.groups.listMembers(pool, drawn.name, 2, undefined),
    ]),
  ),
];

const userSteps: readonly fc.Arbitrary<Step>[] = [
  searched.map(
    createWriteStep(
      'updateUser of what is searched',
      (drawn) => (transaction, pool) =>
        transaction.users.update(pool, drawn.username, {
          attributes: { name: drawn.value, ...(drawn.limit > 1 ? { email: drawn.other } : {}) },
          enabled: drawn.match === 'equals',
          modifiedAtMs: 1,
        }),
    ),
  ),
  searched.map(
    createReadStep('searchUsers', (drawn) => async ({ store, pool }) => {
      const { attribute, match, value, limit } = drawn;
      const first = await store.poolStore.users.search(pool, { attribute, match, value }, limit, undefined);
      if (first.nextCursor === undefined) return [first];
      return [first, await store.poolStore.users.search(pool, { attribute, match, value }, limit, first.nextCursor)];
    }),
  ),
  ownedStepInput.map(
    createWriteStep('deleteUser', (drawn) => (transaction, pool) => transaction.users.delete(pool, drawn.username)),
  ),
  ownedStepInput.map(
    createReadStep(
      'livingLogins',
      (drawn) =>
        ({ store, pool }) =>
          store.poolStore.logins.listActive(pool, drawn.username, drawn.time, 2, undefined),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'insertNotMe',
      (drawn) => (transaction, pool) =>
        transaction.notMeLinks.insert({
          ...sampleNotMeLink(pool, drawn.username, pool + drawn.id),
          expiresAtMs: drawn.time,
        }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'takeNotMe',
      (drawn) => (transaction, pool) => transaction.notMeLinks.take(pool + drawn.id, drawn.time),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'deleteNotMeAfter',
      (drawn) => (transaction, pool) => transaction.notMeLinks.deleteLater(pool, drawn.username, drawn.time),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'deleteCode',
      (drawn) => (transaction, pool) => transaction.codes.delete(pool, drawn.username, 'sign_up'),
    ),
  ),
];

const TYPES = ['login.succeeded', 'login.failed', 'user.locked'] as const;

const toEventType = (generation: number) => TYPES[generation] ?? 'login.ended';

const eventSteps: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createWriteStep(
      'events.append',
      (drawn) => (transaction, pool) =>
        transaction.events.append({
          ...sampleEvent(pool, `${pool}-${drawn.time}`),
          type: toEventType(drawn.generation),
          user: drawn.generation === 2 ? null : { sub: drawn.id, username: drawn.username },
          atMs: drawn.time,
          expiresAtMs: 30 + drawn.time,
        }),
    ),
  ),
  ownedStepInput.map(
    createReadStep(
      'events',
      (drawn) =>
        ({ store, pool }) =>
          store.records.events.page(
            { userPoolId: pool, sub: drawn.id, type: toEventType(drawn.generation) },
            2,
            undefined,
          ),
    ),
  ),
  ownedStepInput.map(
    createReadStep(
      'webhooks.insert',
      (drawn) =>
        ({ store, pool }) =>
          store.records.webhooks.insert({
            ...sampleWebhook(pool + drawn.id),
            events: drawn.generation === 0 ? [] : [toEventType(drawn.generation)],
            createdAtMs: drawn.time,
          }),
    ),
  ),
  ownedStepInput.map(
    createReadStep(
      'webhooks.delete',
      (drawn) =>
        ({ store, pool }) =>
          store.records.webhooks.delete(pool + drawn.id),
    ),
  ),
  ownedStepInput.map(
    createReadStep('deliveries.lease and settle', (drawn) => async ({ store: { records } }) => {
      const leased = await records.deliveries.lease(drawn.time, drawn.time + 5, 2);
      for (const { webhookId, event } of leased) {
        if (drawn.generation === 0) await records.deliveries.finish(webhookId, event.id);
        if (drawn.generation === 1) await records.deliveries.postpone(webhookId, event.id, drawn.time + 3, 'refused');
        if (drawn.generation === 2) await records.deliveries.deadLetter(webhookId, event.id, drawn.time, 'refused');
      }
      return leased;
    }),
  ),
];

const idempotencySteps: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createReadStep(
      'idempotencyKeys.claim',
      (drawn) =>
        ({ store, pool }) =>
          store.records.idempotencyKeys.claim(
            {
              ...sampleIdempotencyClaim(pool + drawn.id),
              requestDigestHex: drawn.username,
              expiresAtMs: drawn.time + 5,
            },
            drawn.time,
          ),
    ),
  ),
  ownedStepInput.map(
    createReadStep('answerIdempotency or release', (drawn) => async ({ store: { records }, pool }) => {
      if (drawn.generation === 0) await records.idempotencyKeys.release(pool + drawn.id);
      else await records.idempotencyKeys.storeAnswer(pool + drawn.id, `sealed ${drawn.generation}`, drawn.time + 9);
    }),
  ),
  fc.record({ username: ownerArbitrary, id: idArbitrary, time: timeArbitrary, flag: fc.boolean() }).map(
    createReadStep(
      'localUsers.setPasswordResetRequired or localUsers.delete',
      (drawn) =>
        async ({ store: { records }, pool }) => {
          const user = { userPoolId: pool, sub: drawn.username, username: drawn.id };
          if (drawn.time % 5 === 0) await records.localUsers.delete(pool, drawn.username);
          else await records.localUsers.setPasswordResetRequired(user, drawn.flag, drawn.time);
        },
    ),
  ),
];

/** Steps on groups, the search of users, links, the audit log, webhooks and idempotency keys. */
export const accountSteps = [...groupSteps, ...userSteps, ...eventSteps, ...idempotencySteps];
