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

/** What came of spoiled replies. */
interface ProviderFaultsFigure {
  readonly mutated: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Answers that nobody may be given, words of the provider in answers and logs, and a service that did not come back. */
  readonly faults: readonly string[];
}

const ADA = 'ada@example.com';
const DAY_MS = 24 * 60 * 60_000;
/** After so many spoiled replies the provider answers well for a while. */
const SPELL = 50;
/** Time passes from request to request, so that keys that were spoiled are asked for again. */
const BETWEEN_MS = 100;

type Tokens = ReturnType<typeof requireTokens>;

interface Setting {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  /** Of the latest good login. */
  tokens: Tokens;
  /** What was logged since it was asked last. */
  drainLog(): string;
}

/** Requests that ask the provider something, each in another way. */
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

/** Spoils the provider's replies to every kind of request, and looks at what is made of them. */
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
      // One try and no breaker, so that every reply is looked at.
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

/** With a provider that answers well again, a login works at once. */
async function stillWorks(setting: Setting): Promise<readonly string[]> {
  const { service, proxy } = setting;
  proxy.setOutcome('pass');
  // Whatever the spoiled logins counted as, their time is over.
  service.clock.advance(DAY_MS);
  const answer = await service.post('/login', { username: ADA, password: PASSWORD });
  if (answer.status !== 200) return [`afterwards a login is answered ${answer.status} ${answer.text.slice(0, 200)}`];
  setting.tokens = requireTokens(answer);
  return [];
}

const FROM_PROVIDER: ReadonlySet<number> = new Set([502, 503, 504]);

function findFault({ status, headers, body, text }: Exchange): string | undefined {
  // A good answer shows what the provider says of users and challenges, and may show anything of it.
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
