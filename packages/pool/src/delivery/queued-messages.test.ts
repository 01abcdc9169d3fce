import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createContact } from '../identity/contacts.ts';
import type { PoolPorts } from '../operations/pool-ports.ts';
import { type SendCodeRequest, sendCode } from '../proofs/codes/send-code.ts';
import type { DecoyCode } from '../store/code-repository.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, MessageRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { portsWithoutStore } from '../testing/ports-without-store.ts';
import { TestClock, TestTimer } from '../testing/test-environment.ts';
import { createTestKeyRing } from '../testing/test-key-ring.ts';
import { createTestPoolRecord } from '../testing/test-ports.ts';
import { createTestTriggers, formatTriggerArn, type TestTrigger } from '../testing/test-triggers.ts';
import { createConfirmLink, decryptConfirmLink, hasConfirmLinks } from './confirm-link.ts';
import { createPendingCustomMessage, invokeCustomMessage, type PendingCustomMessage } from './custom-message.ts';
import { requireSender } from './deliver-after-commit.ts';
import { attemptDelivery } from './delivery-attempt.ts';
import type { DeliveryAttemptPorts } from './delivery-ports.ts';
import { chooseInvitedContacts, queueInvitation } from './invitation.ts';
import { decryptMessageContent, encryptMessageContent } from './message-content.ts';
import { enqueueMessage } from './message-queue.ts';
import { queueNotice } from './notices.ts';
import { SendFailure } from './send-failure.ts';

const NOW = Date.UTC(2026, 4, 7);
const HOUR_MS = 3_600_000;
const keyRing = createTestKeyRing();
const sender = { send: () => Promise.resolve() };
const ports: PoolPorts = { ...portsWithoutStore(NOW), keyRing, senders: { email: sender, sms: sender } };
const EMAIL = createContact('email', 'ada@example.com');
const PHONE = createContact('phone_number', '+12065550100');
const CUSTOM_MESSAGE = { LambdaConfig: { CustomMessage: formatTriggerArn('words') } };

function poolWith(settings: Partial<PoolRecord['settings']> = {}): PoolRecord {
  const pool = createTestPoolRecord(ports);
  return { ...pool, settings: { ...pool.settings, ...settings } };
}

function userWith(attributes: UserRecord['attributes']): UserRecord {
  const lists = { mfaMethods: [], preferredMfa: null, groups: [], deletionAtMs: null };
  const times = { createdAtMs: NOW, modifiedAtMs: NOW };
  const user = { poolId: 'us-east-1_Test00001', username: 'ada', sub: 'ada-sub', status: 'CONFIRMED' } as const;
  return { ...user, enabled: true, attributes, ...lists, ...times };
}

/** A transaction that stores its input some turns later, the message first, so anything that is not awaited is missing. */
function lateTransaction({ isRefused = false, takenOfRange = 0 } = {}) {
  const [messages, codes]: [MessageRecord[], CodeRecord[]] = [[], []];
  const [links, decoys, released]: [unknown[], DecoyCode[], unknown[][]] = [[], [], []];
  const late =
    <Given extends readonly unknown[]>(turns: number, keep: (...given: Given) => unknown) =>
    async (...given: Given) => {
      for (let turned = 0; turned < turns; turned += 1) await turn();
      keep(...given);
    };
  const transaction = {
    messages: { enqueue: late(1, (record: MessageRecord) => messages.push(record)) },
    codes: {
      put: late(5, (record: CodeRecord, decoy?: DecoyCode) => (decoy ? decoys.push(decoy) : codes.push(record))),
    },
    lockouts: {
      unlock: late(5, (...given: unknown[]) => released.push(given)),
    },
    notMeLinks: { insert: late(5, (link: unknown) => links.push(link)) },
    allowances: {
      bySubject: async (_poolId: string, subject: string) =>
        subject.startsWith('send:range of') ? { taken: takenOfRange } : undefined,
      takeFromBucket: async () => !isRefused,
      take: async () => (isRefused ? Number.POSITIVE_INFINITY : 1),
    },
  } as unknown as PoolTransaction;
  return { transaction, messages, codes, links, decoys, released };
}

/** Decrypts a record for a holder of the key. */
function requireContent(record: MessageRecord | undefined) {
  return (record && decryptMessageContent(keyRing, record)) ?? assert.fail('no message, or it cannot be read');
}

describe('a queued message', () => {
  it('is due at once, without a lease, until it becomes useless', async () => {
    const { transaction, messages } = lateTransaction();
    const pool = poolWith();
    const expiresAtMs = NOW + 180_000;
    const order = { kind: 'mfa', contact: EMAIL, username: 'ada', code: '123456', expiresAtMs } as const;
    await enqueueMessage(ports, transaction, pool, order);
    const [{ id, contentEncrypted, ...rest } = assert.fail('nothing was queued')] = messages;
    assert.match(id, /^[\da-f-]{36}$/);
    assert.deepEqual(rest, {
      poolId: pool.id,
      channel: 'email',
      tries: 0,
      nextTryAtMs: NOW,
      leasedUntilMs: 0,
      handedOver: false,
      expiresAtMs,
      deadAtMs: null,
      lastFailure: null,
      createdAtMs: NOW,
    });
    const { to, subject, code, discard } = requireContent(messages[0]);
    assert.deepEqual([to, subject, code, discard], [EMAIL.destination, 'Your authentication code', '123456', false]);
    const ofAnother = { ...rest, id: `${id}0`, contentEncrypted };
    assert.equal(decryptMessageContent(keyRing, ofAnother), undefined, 'bound to its record');
  });

  it('names a code only if the message shows one, and no password or link', async () => {
    for (const [kind, shown] of [
      ['sign_up', '123456'],
      ['sign_up_link', '123456'],
      ['invitation', undefined],
      ['new_device', undefined],
    ] as const) {
      const { transaction, messages } = lateTransaction();
      const order = { kind, contact: EMAIL, username: 'ada', code: '123456', expiresAtMs: NOW + 1 };
      await enqueueMessage(ports, transaction, poolWith(), order);
      assert.equal(requireContent(messages[0]).code, shown, kind);
    }
  });
});

const LINKING = {
  kept: { VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_LINK' } },
  confirmUrl: 'https://pool.example/confirm',
} as const;

describe('a code that is sent', () => {
  async function sent(
    order: Partial<SendCodeRequest>,
    settings: Partial<PoolRecord['settings']> = {},
    takenOfRange = 0,
  ) {
    const late = lateTransaction({ takenOfRange });
    const whole = {
      purpose: 'sign_up',
      contact: EMAIL,
      username: 'ada',
      shownName: 'Ada',
      locale: 'en',
      ...order,
    } as const;
    assert.equal(await sendCode(ports, late.transaction, poolWith(settings), whole), undefined);
    return { ...late, content: requireContent(late.messages[0]) };
  }

  it('is a link for a sign-up by mail through a client, if the pool sends links', async () => {
    const linked = await sent({ linkThrough: 'client' }, LINKING);
    const [, token = assert.fail('no link')] =
      /https:\/\/pool\.example\/confirm#([\w-]+)/.exec(linked.content.text) ?? [];
    assert.deepEqual(decryptConfirmLink(ports, token), {
      clientId: 'client',
      username: 'ada',
      code: linked.content.code,
    });
    const rows = [
      [{}, LINKING, 'email'],
      [{ linkThrough: 'client', contact: PHONE }, LINKING, 'sms'],
      [{ linkThrough: 'client' }, { ...LINKING, confirmUrl: null }, 'email'],
      [{ linkThrough: 'client' }, { confirmUrl: LINKING.confirmUrl }, 'email'],
    ] as const;
    for (const [order, settings, channel] of rows) {
      const { content, messages } = await sent(order, settings);
      assert.match(content.text, new RegExp(`^Your verification code is ${content.code}`));
      assert.equal(messages[0]?.channel, channel);
    }
  });

  it('is stored while it works, together with its message', async () => {
    for (const [purpose, hours] of [
      ['sign_up', 24],
      ['forgot_password', 1],
    ] as const) {
      const { codes, messages, decoys, released } = await sent({ purpose });
      assert.deepEqual([codes[0]?.expiresAtMs, messages[0]?.expiresAtMs], Array(2).fill(NOW + hours * HOUR_MS));
      assert.deepEqual(decoys, []);
      const restarted = released.map(([, subject]) => String(subject).split(':')[0]);
      assert.deepEqual(restarted, purpose === 'forgot_password' ? ['code.forgot_password.newest'] : []);
    }
  });

  it('is a decoy for an unknown user, for up to an hour, whose message is discarded', async () => {
    for (const purpose of ['sign_up', 'forgot_password'] as const) {
      const { codes, decoys, content } = await sent({ purpose, isDecoy: true });
      assert.deepEqual([codes, content.discard], [[], true]);
      const [{ subject, expiresAtMs } = assert.fail('no decoy was written')] = decoys;
      assert.equal(expiresAtMs, NOW + HOUR_MS);
      assert.match(subject, new RegExp(`^decoy ${purpose}:[\\w-]+$`));
    }
  });

  it('is discarded if too many went to similar numbers, and otherwise sent', async () => {
    const order = { purpose: 'forgot_password', contact: PHONE } as const;
    assert.equal((await sent(order, {}, 199)).content.discard, false);
    assert.equal((await sent(order, {}, 200)).content.discard, true);
  });

  it('is refused if too many were sent, and leaves nothing behind', async () => {
    const { transaction, messages, codes } = lateTransaction({ isRefused: true });
    const order = { purpose: 'sign_up', contact: EMAIL, username: 'ada', shownName: 'Ada', locale: 'en' } as const;
    const refusal = await sendCode(ports, transaction, poolWith(), order);
    assert.deepEqual([refusal?.code, messages, codes], ['LimitExceededException', [], []]);
  });
});

describe('a link that confirms', () => {
  it('is sent by pools that are configured for it and have a page', () => {
    const pool = (settings: Partial<PoolRecord['settings']>) => poolWith(settings).settings;
    assert.equal(hasConfirmLinks(pool(LINKING)), true);
    assert.equal(hasConfirmLinks(pool({ ...LINKING, confirmUrl: null })), false);
    assert.equal(hasConfirmLinks(pool({ confirmUrl: LINKING.confirmUrl })), false);
    const kept = { VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' } } as const;
    assert.equal(hasConfirmLinks(pool({ ...LINKING, kept })), false);
  });

  it('is invalid unless one of the keys made it', () => {
    const content = { clientId: 'client', username: 'ada', code: '123456' };
    const other = { keyRing: createTestKeyRing() };
    const [, token = ''] = createConfirmLink(other, LINKING, content).split('#');
    assert.deepEqual(decryptConfirmLink(other, token), content);
    for (const foreign of [token, '', 'nonsense']) assert.equal(decryptConfirmLink(ports, foreign), undefined);
  });
});

describe('an invitation', () => {
  const BOTH = { email: EMAIL.destination, phone_number: PHONE.destination };
  const chosen = (attributes: UserRecord['attributes'], asked: object) =>
    chooseInvitedContacts(ports, { attributes }, { UserPoolId: 'x', Username: 'ada', ...asked }).map(
      ({ medium }) => medium,
    );

  it('is sent over the requested media, otherwise by mail, otherwise by SMS, or not at all', () => {
    assert.deepEqual(chosen(BOTH, {}), ['EMAIL']);
    assert.deepEqual(chosen({ phone_number: PHONE.destination }, {}), ['SMS']);
    assert.deepEqual(chosen({}, {}), []);
    assert.deepEqual(chosen(BOTH, { DesiredDeliveryMediums: ['SMS'] }), ['SMS']);
    assert.deepEqual(chosen(BOTH, { DesiredDeliveryMediums: ['EMAIL', 'SMS'] }), ['SMS', 'EMAIL']);
    assert.deepEqual(chosen({ email: EMAIL.destination }, { DesiredDeliveryMediums: ['SMS'] }), []);
    assert.deepEqual(chosen(BOTH, { MessageAction: 'SUPPRESS' }), []);
    assert.deepEqual(chosen(BOTH, { MessageAction: 'RESEND' }), ['EMAIL']);
  });

  it('is refused if it cannot be sent over one of them', () => {
    const mute = { ...ports, senders: { email: sender } };
    const asked = { UserPoolId: 'x', Username: 'ada', DesiredDeliveryMediums: ['EMAIL', 'SMS'] } as const;
    const refusal = { code: 'UnsupportedOperationException', message: 'No sender of messages is configured.' };
    assert.throws(() => chooseInvitedContacts(mute, { attributes: BOTH }, { ...asked }), refusal);
    assert.throws(() => requireSender({ senders: {} }, 'email'), refusal);
    requireSender(ports, 'sms');
  });

  it('contains name and password for each contact, until the password expires, or is refused as a whole', async () => {
    const invitation = {
      user: userWith({ locale: 'de' }),
      contacts: [EMAIL, PHONE],
      typedName: 'Ada',
      password: 'Secret-1',
      untilMs: NOW + HOUR_MS,
    };
    const { transaction, messages } = lateTransaction();
    await queueInvitation(ports, transaction, poolWith({ kept: CUSTOM_MESSAGE }), invitation);
    assert.deepEqual(
      messages.map(({ channel, expiresAtMs }) => [channel, expiresAtMs]),
      [
        ['email', NOW + HOUR_MS],
        ['sms', NOW + HOUR_MS],
      ],
    );
    const { text, wording } = requireContent(messages[0]);
    assert.match(text, /^Ihr .*Ada.*Secret-1/);
    assert.deepEqual([wording?.userName, wording?.source], ['ada', 'CustomMessage_AdminCreateUser']);
    const refused = lateTransaction({ isRefused: true });
    await assert.rejects(queueInvitation(ports, refused.transaction, poolWith(), invitation), {
      code: 'LimitExceededException',
    });
    assert.deepEqual(refused.messages, []);
  });
});

describe('a notice', () => {
  const OWNER = userWith({ email: EMAIL.destination, email_verified: 'true' });
  const notMeUrl = 'https://pool.example/not-me';
  const WEEK_MS = 604_800_000;

  it('is queued with its link, which works for a week', async () => {
    const { transaction, messages, links } = lateTransaction();
    await queueNotice(ports, transaction, poolWith({ notMeUrl }), OWNER, 'new_device');
    const [{ digestHex, ...link } = assert.fail('no link')] = links as Record<string, unknown>[];
    assert.match(String(digestHex), /^[\da-f]{64}$/);
    assert.deepEqual(link, { poolId: OWNER.poolId, username: 'ada', expiresAtMs: NOW + WEEK_MS });
    assert.equal(messages[0]?.expiresAtMs, NOW + WEEK_MS);
    assert.match(requireContent(messages[0]).text, /https:\/\/pool\.example\/not-me#[\w-]{43}$/);
  });

  it('has no link if the pool has no page, or the kind has no placeholder for it', async () => {
    for (const [kind, url] of [
      ['new_device', null],
      ['proofs_removed', notMeUrl],
    ] as const) {
      const { transaction, messages, links } = lateTransaction();
      await queueNotice(ports, transaction, poolWith({ notMeUrl: url }), OWNER, kind);
      assert.deepEqual([links, messages.length], [[], 1]);
      assert.doesNotMatch(requireContent(messages[0]).text, /#|null/);
    }
  });

  it('is not queued without a verified address, without a mail sender, or over the limit', async () => {
    const queued = async (user: UserRecord, senders: PoolPorts['senders'], isRefused = false, lost = {}) => {
      const { transaction, messages } = lateTransaction({ isRefused });
      await queueNotice({ ...ports, senders }, transaction, poolWith(), user, 'contact_changed', lost);
      return messages.length;
    };
    assert.equal(await queued(OWNER, { email: sender }), 1);
    assert.equal(await queued(OWNER, { sms: sender }), 0);
    assert.equal(await queued(userWith({ email: EMAIL.destination }), { email: sender }), 0);
    assert.equal(await queued(userWith({ email_verified: 'true' }), { email: sender }), 0);
    assert.equal(await queued(OWNER, { email: sender }, true), 0);
    assert.equal(await queued(OWNER, { email: sender }, true, { phone_number: PHONE.destination }), 0);
    assert.equal(await queued(OWNER, { email: sender }, true, { email: EMAIL.destination }), 1, 'the only one there');
  });
});

const VALUES: PendingCustomMessage['values'] = { kind: 'sign_up', locale: 'en', username: 'Ada', code: '123456' };
const WORDING: PendingCustomMessage = {
  userName: 'ada',
  source: 'CustomMessage_SignUp',
  clientId: 'client',
  values: VALUES,
};

describe('a message that a trigger changes', () => {
  const triggered = poolWith({ kept: CUSTOM_MESSAGE });
  const triggerInput = { ClientId: 'client', ClientMetadata: { told: 'by the client' } };
  const about = { userName: 'ada', source: 'CustomMessage_SignUp' } as const;

  it('is about a user in a pool with such a trigger', () => {
    const caller = { network: '192.0.2', isProven: false };
    const ports = { triggerInput, caller };
    const wording = {
      ...about,
      caller,
      clientId: 'client',
      clientMetadata: triggerInput.ClientMetadata,
      values: VALUES,
    };
    assert.deepEqual(createPendingCustomMessage(ports, triggered, about, VALUES), wording);
    assert.equal(createPendingCustomMessage(ports, triggered, undefined, VALUES), undefined);
    assert.equal(createPendingCustomMessage(ports, poolWith(), about, VALUES), undefined);
    const login = { userName: 'ada', source: 'CustomMessage_Authentication' } as const;
    const untold = { ...wording, ...login, clientMetadata: undefined };
    assert.deepEqual(
      createPendingCustomMessage(ports, triggered, login, VALUES),
      untold,
      'what starts a login is not for messages',
    );
  });

  const record = { id: 'm', poolId: triggered.id, channel: 'email' } as MessageRecord;
  const known: { pool?: PoolRecord; user?: UserRecord } = { pool: triggered, user: userWith({}) };

  function partsWith(words: TestTrigger | undefined, { pool, user }: { pool?: PoolRecord; user?: UserRecord } = known) {
    const clock = new TestClock(NOW);
    const triggers = createTestTriggers(words && { words });
    const store = {
      pools: { byId: async (id: string) => (id === pool?.id ? pool : undefined) },
      users: { byUsername: async (_: string, name: string) => (name === user?.username ? user : undefined) },
    } as unknown as DeliveryAttemptPorts['store'];
    const caller = { network: '', isProven: false };
    const calling = { callLimiters: new Map(), triggersUntilMs: Number.POSITIVE_INFINITY, caller };
    return {
      store,
      clock,
      timer: new TestTimer(clock),
      triggers: triggers.invoker,
      random: (length: number) => new Uint8Array(length),
      takeEvents: triggers.takeEvents,
      ...calling,
    };
  }

  it('uses the returned texts, and keeps its own if pool, trigger or user are gone', async () => {
    const words: TestTrigger = (event) => ({ ...event, response: { emailMessage: 'Other {####}' } });
    const reworded = await invokeCustomMessage(partsWith(words), record, WORDING);
    assert.ok(typeof reworded === 'object' && reworded.text === 'Other 123456');
    for (const gone of [{}, { pool: triggered }, { pool: poolWith(), user: userWith({}) }]) {
      const parts = partsWith(words, gone);
      assert.equal(await invokeCustomMessage(parts, record, WORDING), undefined);
      assert.deepEqual(parts.takeEvents(), []);
    }
  });

  it('is refused or failed by the trigger, and any other fault is an invalid response', async () => {
    const no: TestTrigger = () => {
      throw new Error('no');
    };
    assert.equal(await invokeCustomMessage(partsWith(no), record, WORDING), 'refused');
    const silent: TestTrigger = () => new Promise(() => {});
    const slow = partsWith(silent);
    const rewording = invokeCustomMessage(slow, record, WORDING);
    for (const ms of [5_000, 5_000, 5_000]) {
      await new Promise(setImmediate);
      slow.clock.advance(ms);
      slow.timer.runDue();
    }
    assert.equal(await rewording, 'failed');
    const reported: unknown[] = [];
    const onUnmappedTrigger = (...report: unknown[]) => void reported.push(report);
    const unmapped = { ...partsWith(undefined), onUnmappedTrigger };
    assert.equal(await invokeCustomMessage(unmapped, record, WORDING), 'not_mapped');
    assert.equal(
      await invokeCustomMessage({ ...unmapped, sendsWithoutUnmappedTrigger: true }, record, WORDING),
      undefined,
    );
    const { CustomMessage: arn } = CUSTOM_MESSAGE.LambdaConfig;
    const report = [{ userPoolId: triggered.id, arn, triggers: ['CustomMessage'] }, 'called'];
    assert.deepEqual(reported, [report, report]);
    assert.equal(
      await invokeCustomMessage(
        partsWith(() => 'nonsense'),
        record,
        WORDING,
      ),
      'failed',
    );
    const targetOf = () => {
      throw new RangeError('broken');
    };
    await assert.rejects(
      invokeCustomMessage({ ...partsWith(no), triggers: { targetOf } }, record, WORDING),
      RangeError,
    );
  });

  const CONTENT = { to: EMAIL.destination, subject: 'S', text: 'T', html: undefined, code: '123456', discard: false };
  const identity = { id: 'm', poolId: triggered.id, channel: 'email' } as const;

  /** One attempt to deliver a message, which ends a minute later by default. */
  async function attempt(
    changed: Partial<MessageRecord>,
    content: Partial<Parameters<typeof encryptMessageContent>[2]> = {},
    { words, failure, isMine = true, senders = true }: Attempt = {},
  ) {
    const given: string[] = [];
    const send = async ({ text }: { readonly text: string }) => {
      given.push(text);
      if (failure !== undefined) throw failure;
    };
    const { takeEvents, ...parts } = partsWith(words);
    const handOver = async (...[id, untilMs]: [string, number]) => isMine && id === 'm' && untilMs === NOW + 5;
    const store = {
      ...parts.store,
      write: (work: (transaction: PoolTransaction) => unknown) => work({ messages: { handOver } } as never),
    } as DeliveryAttemptPorts['store'];
    const all = { ...parts, store, keyRing, senders: senders ? { email: { send } } : {} };
    const contentEncrypted = encryptMessageContent(keyRing, identity, { ...CONTENT, ...content });
    const state = { tries: 2, nextTryAtMs: NOW, leasedUntilMs: NOW + 5, handedOver: false, expiresAtMs: NOW + 60_000 };
    const rest = { deadAtMs: null, lastFailure: null, createdAtMs: NOW };
    const result = await attemptDelivery(all, { ...identity, ...state, ...rest, contentEncrypted, ...changed });
    return { result, given, asked: takeEvents().length, nextAtMs: parts.timer.nextAtMs };
  }

  interface Attempt {
    readonly words?: TestTrigger;
    readonly failure?: Error;
    readonly isMine?: boolean;
    readonly senders?: boolean;
  }

  it('an attempt ends with what is known of the message', async () => {
    const words: TestTrigger = (event) => ({ ...event, response: { emailMessage: 'Other {####}' } });
    const no: TestTrigger = () => {
      throw new Error('no');
    };
    const wording = WORDING;
    const dead = (failure: string, tries = 2) => ({ result: 'dead', tries, failure });
    const retry = (failure: string, waitMs: number, tries = 2) => ({ result: 'retry', tries, failure, waitMs });
    const sent = { result: 'sent', tries: 3 };
    const later = new SendFailure('planted', 'retry');
    const rows: readonly [Awaited<ReturnType<typeof attempt>>, unknown, given: readonly string[], asked: number][] = [
      [await attempt({}), sent, ['T'], 0],
      [await attempt({ handedOver: true }), dead('in_doubt'), [], 0],
      [await attempt({ expiresAtMs: NOW + 1 }), sent, ['T'], 0],
      [await attempt({ expiresAtMs: NOW }), dead('expired'), [], 0],
      [await attempt({ expiresAtMs: NOW, lastFailure: 'planted' }), dead('planted'), [], 0],
      [await attempt({ contentEncrypted: 'x' }), dead('unreadable'), [], 0],
      [await attempt({ channel: 'sms' }), dead('unreadable'), [], 0],
      [await attempt({}, {}, { senders: false }), retry('no_sender', 30_000), [], 0],
      [await attempt({}, { discard: true }, { senders: false }), sent, [], 0],
      [await attempt({}, { wording }, { words }), sent, ['Other 123456'], 1],
      [await attempt({}, { wording, discard: true }, { words }), sent, [], 0],
      [await attempt({}, { wording }, { words: no }), dead('trigger_refused'), [], 1],
      [await attempt({}, { wording }), retry('trigger_not_mapped', 30_000), [], 0],
      [await attempt({}, { wording }, { words: () => 'nonsense' }), retry('trigger_failed', 20_000), [], 1],
      [await attempt({}, {}, { isMine: false }), undefined, [], 0],
      [await attempt({ tries: 0 }, {}, { failure: later }), retry('planted', 2_000, 1), ['T'], 0],
      [await attempt({ tries: 8 }, {}, { failure: later }), retry('planted', 300_000, 9), ['T'], 0],
      [await attempt({ tries: 9 }, {}, { failure: later }), dead('planted', 10), ['T'], 0],
      [await attempt({}, {}, { failure: new SendFailure('planted', 'unknown') }), dead('planted', 3), ['T'], 0],
      [await attempt({}, {}, { failure: new SendFailure('planted', 'refused') }), dead('planted', 3), ['T'], 0],
      [await attempt({}, {}, { failure: new Error('planted') }), dead('sender_defect', 3), ['T'], 0],
    ];
    for (const [index, [{ result, given, asked: times, nextAtMs }, ...expected]] of rows.entries()) {
      assert.deepEqual([result, given, times], expected, `row ${index}`);
      assert.equal(nextAtMs, undefined, 'nothing is left to wait for');
    }
  });
});

describe('why a message was not sent', () => {
  it('is a code word, an outcome and a cause, and names no one', () => {
    const cause = new Error('planted');
    const failure = new SendFailure('smtp_550', 'refused', { cause });
    assert.deepEqual([failure.code, failure.outcome, failure.cause], ['smtp_550', 'refused', cause]);
    assert.equal(String(failure), 'SendFailure: The message was not sent (smtp_550).');
    assert.equal(new SendFailure('x'.repeat(64), 'retry').code.length, 64);
    for (const code of ['', 'x'.repeat(65), 'About ada@example.com', 'A']) {
      assert.throws(() => new SendFailure(code, 'retry'), {
        name: 'TypeError',
        message: 'code must be a snake_case word',
      });
    }
  });
});
