import { ERRORS } from '@poolgate/contract';
import { mutateReply, PROVIDER_WORDS } from '../support/provider/mutated-reply.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { createPicker, type Picker } from '../support/requests/picker.ts';
import { type FaultProxy, startFaultProxy } from '../support/services/fault-proxy.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startServiceOnCognito,
  type TestService,
} from '../support/services/test-service.ts';

/** The results of corrupted replies. */
interface ProviderFaultsFigure {
  readonly mutated: number;
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Forbidden responses, the provider's own texts in responses and logs, and a service that did not recover. */
  readonly faults: readonly string[];
}

const ADA = 'ada@example.com';
const DAY_MS = 24 * 60 * 60_000;
/** After this many corrupted replies the provider works correctly for a while. */
const SPELL = 50;
/** The time between requests, so that corrupted keys are fetched again. */
const BETWEEN_MS = 100;

type Tokens = ReturnType<typeof requireTokens>;

interface Setting {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  /** Of the latest successful login. */
  tokens: Tokens;
  /** Returns the log lines since the last call. */
  drainLog(): string;
}

/** Requests that each call the provider differently. */
const ACTS: readonly ((setting: Setting) => Promise<Exchange>)[] = [
  ({ service }) => service.post('/login', { username: ADA, password: PASSWORD }),
  ({ service }) => service.post('/login/srp', { username: ADA }),
  ({ service }) => service.ask('GET', '/login/passkey/challenge', { body: { username: ADA } }),
  ({ service, tokens }) => service.post('/token/refresh', { refresh_token: tokens.refresh }),
  ({ service, tokens }) => service.get('/user/profile', createBearerHeader(tokens.access)),
  ({ service, tokens }) => service.get('/api/cognito/device', createBearerHeader(tokens.access)),
  ({ service, tokens }) => service.get('/user/factors', createBearerHeader(tokens.access)),
  ({ service, tokens }) => service.post('/user/mfa/activate', {}, createBearerHeader(tokens.access)),
  ({ service, tokens }) => service.get('/passkey', createBearerHeader(tokens.access)),
  ({ service, tokens }) => service.post('/passkey/start', {}, createBearerHeader(tokens.access)),
  ({ service }) => service.post('/register', { email: 'new@example.com', password: PASSWORD }),
  ({ service }) => service.post('/password/forgot', { email: ADA }),
  ({ service }) => service.get('/admin/users', service.asAdmin),
  ({ service }) => service.get(`/admin/users/${ADA}`, service.asAdmin),
  ({ service }) => service.get('/admin/groups', service.asAdmin),
];

/** Corrupts the provider's replies to every kind of request, and checks the results. */
export async function providerFaults(
  seed: number,
  count: number,
  tell: (line: string) => void = () => {},
): Promise<ProviderFaultsFigure> {
  const { setting, close } = await open();
  try {
    return await spoil(setting, seed, count, tell);
  } finally {
    await close();
  }
}

async function open(): Promise<{ readonly setting: Setting; close(): Promise<void> }> {
  let proxy: FaultProxy | undefined;
  let log = '';
  const service = await startServiceOnCognito(
    {
      logStream: {
        write(line) {
          log += line;
        },
      },
      logLevel: 'debug',
      // One attempt and no breaker, so that every reply is processed.
      cognitoLimits: { tries: 1, breakerLeast: 1_000_000, breakerOutcomes: 1 },
    },
    undefined,
    async (poolUrl) => {
      proxy = await startFaultProxy(poolUrl);
      return proxy.url;
    },
  );
  if (proxy === undefined) throw new TypeError('between: was not asked');
  const between = proxy;
  await addUser(service, ADA);
  const tokens = requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  const drainLog = (): string => {
    const taken = log;
    log = '';
    return taken;
  };
  return {
    setting: { service, proxy: between, tokens, drainLog },
    async close() {
      await service.close();
      await between.close();
    },
  };
}

async function spoil(
  setting: Setting,
  seed: number,
  count: number,
  tell: (line: string) => void,
): Promise<ProviderFaultsFigure> {
  const pick = createPicker(seed);
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  let mutated = 0;
  for (let told = 0; mutated < count; ) {
    const [act, at] = pickWithIndex(ACTS, pick);
    setting.proxy.setOutcome({
      answer: (reply) => {
        mutated += 1;
        return mutateReply(reply, pick);
      },
    });
    setting.service.clock.advance(BETWEEN_MS);
    const answer = await act(setting);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const log = setting.drainLog();
    const fault = findFault(answer) ?? leakIn(log, 'log');
    if (fault) faults.push(`act ${at}, after ${mutated} replies of seed ${seed}: ${fault}`);
    if (mutated - told >= SPELL) {
      told = mutated;
      tell(`${mutated} of ${count} replies`);
      faults.push(...(await stillWorks(setting)));
    }
  }
  faults.push(...(await stillWorks(setting)));
  return { mutated, statuses, faults };
}

function pickWithIndex<T>(list: readonly T[], pick: Picker): readonly [T, number] {
  const at = pick.below(list.length);
  return [list[at] as T, at];
}

/** When the provider works again, a login succeeds at once. */
async function stillWorks(setting: Setting): Promise<readonly string[]> {
  const { service, proxy } = setting;
  proxy.setOutcome('pass');
  // The effects of the corrupted logins on limits are over.
  service.clock.advance(DAY_MS);
  const answer = await service.post('/login', { username: ADA, password: PASSWORD });
  if (answer.status !== 200) return [`afterwards a login is answered ${answer.status} ${answer.text.slice(0, 200)}`];
  setting.tokens = requireTokens(answer);
  return [];
}

const FROM_PROVIDER: ReadonlySet<number> = new Set([502, 503, 504]);

function findFault({ status, headers, body, text }: Exchange): string | undefined {
  // A successful response contains the provider's data about users and challenges, and may contain any of it.
  if (status < 400) return undefined;
  const leak = leakIn(text, 'answer');
  if (leak) return leak;
  const row = Object.entries(ERRORS).find(([code]) => code === body.code)?.[1];
  const isProblem = String(headers['content-type']).startsWith('application/problem+json') && row?.status === status;
  if (!isProblem) return `${status} ${text.slice(0, 200)}`;
  if (status >= 500 && !FROM_PROVIDER.has(status)) return `${status} ${text.slice(0, 200)}`;
  return undefined;
}

function leakIn(text: string, where: string): string | undefined {
  const at = text.indexOf(PROVIDER_WORDS);
  return at === -1 ? undefined : `words of the provider in the ${where}: ${text.slice(Math.max(0, at - 200), at + 60)}`;
}
