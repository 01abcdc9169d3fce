import assert from 'node:assert/strict';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PasskeyRecord } from '@poolgate/pool/store';
import { COGNITO_GROUP } from '@poolgate/srp';
import { openTestEnvironment } from '../../packages/pool/src/testing/test-environment.ts';
import { WEB_AUTHN } from '../../packages/pool/src/testing/test-passkeys.ts';
import {
  openTestPoolOn,
  TEST_CALL,
  type TestPool,
  type TestPoolOptions,
} from '../../packages/pool/src/testing/test-pool.ts';
import {
  createTestTriggers,
  formatTriggerArn,
  type TestTrigger,
} from '../../packages/pool/src/testing/test-triggers.ts';
import { CALLBACK } from '../support/oauth/oauth-client.ts';
import { createGatewayServer } from '../support/services/gateway-server.ts';
import { type Auc, aucOver, type Block } from './auc.ts';
import { ask, prepared, send, TIMED_ACTS, type TimedAct, type TimedServices } from './timed-acts.ts';

/** How well the duration of one kind of request reveals who exists. */
export interface Timing extends Measured {
  /** Whether the first measurement showed a difference, and this is the second. */
  readonly repeated: boolean;
  /** Both areas with their intervals, for people. */
  readonly texts: readonly [unknown: string, control: string];
  /** Whether the durations or the responses reveal it, or a limit changed what was timed. */
  readonly revealsUsers: boolean;
}

interface Measured {
  readonly act: string;
  /** Unknown names compared with users. */
  readonly unknown: Auc;
  /** Users compared with other users, between the same requests. */
  readonly control: Auc;
  /** Status and error code by kind; there must be one, and the same. */
  readonly answers: readonly [readonly string[], readonly string[], readonly string[]];
}

const BLOCK = 100;
const WARM_UP = 50;
const HOURS_MS = 2 * 3_600_000;

/**
 * Times every request about a name that anyone can send, in process and one after another. The names belong to users, to other users, and
 * to no user, in random order, each name once. Every third user has a passkey, and half of the unknown names sort after all others. A
 * difference is measured once more, because one 99 % interval in a hundred misses a half by chance.
 * @param times the number per kind; complete blocks of a hundred
 * @param only the acts whose names match. Default: all
 * @param databaseUrl the store of the users
 */
export async function whoExists(
  times: number,
  tell: (line: string) => void = () => {},
  only = /./,
  databaseUrl = 'sqlite::memory:',
): Promise<readonly Timing[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const wanted = TIMED_ACTS.filter(({ name }) => only.test(name));
  const figures: Timing[] = [];
  // A registration reveals a name, so those names are not used again.
  for (const acts of [
    wanted.filter(({ registers }) => !registers),
    ...wanted.filter(({ registers }) => registers).map((act) => [act]),
  ]) {
    if (acts.length > 0) figures.push(...(await timedTogether(acts, times, { collect, tell, databaseUrl })));
  }
  return figures;
}

const LEAST = 0.48;
const MOST = 0.52;

/** Responses to too many requests. */
export const LIMITED = /^429|Limit|TooMany/;

function revealsUsers({ unknown, control, answers }: Measured): boolean {
  const isApart = unknown.low > 0.5 || unknown.high < 0.5;
  const isFar = [unknown, control].some(({ value }) => value < LEAST || value > MOST);
  const seen = new Set(answers.flat());
  const isOther = seen.size > 1 || [...seen].some((answer) => LIMITED.test(answer));
  return isApart || isFar || isOther;
}

/** `0.501 [0.489, 0.513]`. */
function shown({ value, low, high }: Auc): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

interface Run {
  readonly collect: () => void;
  readonly tell: (line: string) => void;
  readonly databaseUrl: string;
}

/** All requests come from one source. */
const UNLIMITED = { perDay: Number.MAX_SAFE_INTEGER, smsPerCountryAndDay: Number.MAX_SAFE_INTEGER };

/** A custom login with one question and no second attempt. */
const QUESTION: Readonly<Record<string, TestTrigger>> = {
  DefineAuthChallenge: (event) => {
    const { session } = event.request as { readonly session: readonly unknown[] };
    const response = session.length === 0 ? { challengeName: 'CUSTOM_CHALLENGE' } : { failAuthentication: true };
    return { ...event, response };
  },
  CreateAuthChallenge: (event) => ({ ...event, response: { privateChallengeParameters: { answer: 'blue' } } }),
  VerifyAuthChallengeResponse: (event) => ({ ...event, response: { answerCorrect: false } }),
};

const SETTINGS: TestPoolOptions = {
  pool: {
    webAuthn: WEB_AUTHN,
    firstFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'],
    kept: { LambdaConfig: Object.fromEntries(Object.keys(QUESTION).map((name) => [name, formatTriggerArn(name)])) },
  },
  client: { allowedFlows: ['USER_SRP_AUTH', 'USER_PASSWORD_AUTH', 'USER_AUTH', 'CUSTOM_AUTH'] },
};

async function makeOAuthClient({ operations, userPoolId: UserPoolId }: TestPool): Promise<string> {
  await operations.createUserPoolDomain({ UserPoolId, Domain: 'timed' }, TEST_CALL).catch(() => {});
  const made = await operations.createUserPoolClient(
    {
      UserPoolId,
      ClientName: 'app',
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      SupportedIdentityProviders: ['COGNITO'],
      CallbackURLs: [CALLBACK],
    },
    TEST_CALL,
  );
  return made.UserPoolClient?.ClientId ?? '';
}

/** On one service, whose users receive one request after another; between them all counters are reset. */
async function timedTogether(
  acts: readonly TimedAct[],
  times: number,
  { collect, tell, databaseUrl }: Run,
): Promise<readonly Timing[]> {
  const opened = await openTestEnvironment(databaseUrl);
  // A sender without a wait, like every sender over a network.
  const send = () => Promise.resolve();
  const senders = { email: { send }, sms: { send } };
  const context = {
    ...opened.options,
    senders,
    messageLimits: UNLIMITED,
    triggers: createTestTriggers(QUESTION).invoker,
  };
  const pool = await openTestPoolOn({ ...opened, options: context }, SETTINGS);
  const oauthClientId = await makeOAuthClient(pool);
  const { keyRing } = context;
  const gateway = await createGatewayServer({ ...opened, options: context }, pool);
  try {
    const names = [newNames(times), newNames(times), namesOfNobody(times)] as const;
    const warm = [newNames(WARM_UP), namesOfNobody(WARM_UP)] as const;
    await importUsers(pool, [...names[0], ...names[1], ...warm[0]].toSorted());
    await pool.embedded.startCensuses(({ error }) => assert.fail(String(error)))();
    const figures: Timing[] = [];
    for (const act of acts) {
      const measure = async (): Promise<Measured> => {
        const measured = await timed({ gateway, pool, keyRing, oauthClientId }, act, names, { warm, collect });
        pool.clock.advance(HOURS_MS);
        tell(`${act.name}: ${formatMeasured(measured).join(', control ')}; ${measured.answers.join(' / ')}`);
        return measured;
      };
      const first = await measure();
      // A request that registers names cannot be repeated for them.
      const repeated = revealsUsers(first) && !act.registers;
      const measured = repeated ? await measure() : first;
      figures.push({ ...measured, repeated, texts: formatMeasured(measured), revealsUsers: revealsUsers(measured) });
    }
    return figures;
  } finally {
    await gateway.close();
    await opened.close();
  }
}

const newNames = (count: number): readonly string[] =>
  Array.from({ length: count }, () => `${randomBytes(8).toString('hex')}@example.com`);

/** Half of them sort after every user's name: reads of a decoy then find another row. */
const namesOfNobody = (count: number): readonly string[] =>
  newNames(count).map((name, at) => (at % 2 === 0 ? name : `z${name.slice(1)}`));

const formatMeasured = ({ unknown, control }: Measured) => [shown(unknown), shown(control)] as const;

type Names = readonly string[];

async function timed(
  services: TimedServices,
  act: TimedAct,
  kinds: readonly [users: Names, others: Names, nobody: Names],
  { warm, collect }: Pick<Run, 'collect'> & { readonly warm: readonly Names[] },
): Promise<Measured> {
  for (let at = 0; at < WARM_UP; at += 1) {
    for (const names of warm) await ask(services.gateway, await act.request(services, names[at] ?? ''));
  }
  const answers = [new Set<string>(), new Set<string>(), new Set<string>()] as const;
  const blocks: (readonly [number[], number[], number[]])[] = [];
  for (let from = 0; from < kinds[0].length; from += BLOCK) {
    const block = [[], [], []] as readonly [number[], number[], number[]];
    blocks.push(block);
    collect();
    for (const { kind, name } of inRandomOrder(kinds, from)) {
      const request = prepared(await act.request(services, name));
      // The previous request has no work left.
      await setImmediate();
      const began = performance.now();
      const answer = await send(services.gateway, request);
      block[kind].push(performance.now() - began);
      answers[kind].add(summarize(answer));
    }
  }
  const against = (kind: 1 | 2): Auc =>
    aucOver(
      blocks.map((block): Block => ({ one: block[kind], other: block[0] })),
      Math.random,
    );
  const [users, others, nobody] = answers.map((seen) => [...seen].toSorted()) as [string[], string[], string[]];
  return { act: act.name, unknown: against(2), control: against(1), answers: [users, others, nobody] };
}

/** `400 CodeMismatchException`, `302 /cognito/login`. */
function summarize({ status, text, location }: Awaited<ReturnType<typeof send>>): string {
  if (location !== null) return `${status} ${location.split('?', 1)[0]}`;
  const { code, __type } = JSON.parse(text);
  return `${status} ${code ?? __type ?? ''}`.trim();
}

interface Named {
  readonly kind: 0 | 1 | 2;
  readonly name: string;
}

/** A block of each kind, in random order: work that a request leaves for the next one affects each kind equally. */
function inRandomOrder(kinds: readonly [Names, Names, Names], from: number): readonly Named[] {
  const left = ([0, 1, 2] as const).flatMap((kind) =>
    kinds[kind].slice(from, from + BLOCK).map((name): Named => ({ kind, name })),
  );
  const order: Named[] = [];
  while (left.length > 0) order.push(...left.splice(randomInt(left.length), 1));
  return order;
}

const BATCH = 200;

/** Users with unknown passwords: a verifier can be any square, and needs no exponentiation. */
async function importUsers({ embedded, userPoolId, store }: TestPool, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += BATCH) {
    const users = names.slice(from, from + BATCH).map((email) => ({
      username: randomUUID(),
      attributes: { email, email_verified: 'true' },
      password: { saltHex: randomBytes(16).toString('hex'), verifierHex: drawVerifier() },
    }));
    const outcomes = await embedded.importUsers(userPoolId, users);
    const failed = outcomes.find(({ ok }) => !ok);
    if (failed) throw new RangeError(JSON.stringify(failed));
    const holders = users.filter((_, at) => at % 3 === 0).map(({ username }) => createPasskey(userPoolId, username));
    await store.write(async (transaction) => {
      for (const passkey of holders) await transaction.passkeys.insert(passkey);
    });
  }
}

const COSE_KEY_BYTES = 77;

/** Like most people's authenticators. */
function createPasskey(poolId: string, username: string): PasskeyRecord {
  return {
    poolId,
    credentialId: randomBytes(32).toString('base64url'),
    username,
    publicKey: randomBytes(COSE_KEY_BYTES).toString('base64url'),
    counter: 0,
    transports: ['hybrid', 'internal'],
    attachment: 'platform',
    aaguid: randomUUID(),
    name: 'Phone',
    relyingPartyId: WEB_AUTHN.relyingPartyId,
    isBackupEligible: true,
    isBackedUp: true,
    createdAtMs: 1,
    lastUsedAtMs: null,
  };
}

function drawVerifier(): string {
  const { modulus } = COGNITO_GROUP;
  const root = BigInt(`0x${randomBytes(384).toString('hex')}`) % modulus;
  return ((root * root) % modulus).toString(16).padStart(768, '0');
}
