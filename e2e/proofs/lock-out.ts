import { BEHIND_PROXY, type Exchange } from '../support/requests/exchange.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const OWNER = 'owner@example.com';
const EVERYWHERE = 'everywhere@example.com';
const FROM_ATTACKER = { 'x-forwarded-for': '203.0.113.7' };
const FROM_OWNER = { 'x-forwarded-for': '198.51.100.9' };
const MINUTE_MS = 60_000;
const WRONG_CODE = 'wrong';
/** The owner types the code a few minutes after requesting it, while the attacker continues. */
const MINUTES_TO_TYPE = 5;
const RESET_MINUTE = 30;

/** The results of consecutive hours. */
export interface LockOut {
  readonly hours: number;
  readonly logins: number;
  readonly resets: number;
  /** The attacker's requests. */
  readonly requests: number;
  /** The attacker's guesses that were compared with a secret. */
  readonly compared: { readonly passwords: number; readonly codes: number };
  /** Undefined unless requested. */
  readonly daily: DailyLimit | undefined;
  readonly faults: readonly string[];
}

interface LockOutOptions {
  readonly hours: number;
  /** Whether to also count the guesses that the limits over all networks allow per day. Takes minutes. */
  readonly countsDaily?: boolean;
  readonly tell?: (line: string) => void;
}

/** The requests of one address per minute. */
const ATTACK = ['password', 'code', 'forgot', 'password', 'code', 'code', 'forgot', 'password'] as const;
const REQUESTS_A_MINUTE = 4;

/**
 * One address sends four requests a minute against one user, by the service's clock: wrong passwords, wrong reset codes, and requests for
 * codes. From another network the user signs in and resets the password once an hour.
 */
export async function lockOut({ hours, countsDaily = false, tell = () => {} }: LockOutOptions): Promise<LockOut> {
  const service = await startTestService(BEHIND_PROXY);
  try {
    await addUser(service, OWNER);
    const attacked = await attackFor(service, hours, tell);
    const daily = countsDaily ? await dailyLimit() : undefined;
    return { ...attacked, daily, faults: [...attacked.faults, ...(daily?.faults ?? [])] };
  } finally {
    await service.close();
  }
}

async function attackFor(
  service: TestService,
  hours: number,
  tell: (line: string) => void,
): Promise<Omit<LockOut, 'daily'>> {
  const compared = { passwords: 0, codes: 0 };
  const faults: string[] = [];
  let [logins, resets, requests, password] = [0, 0, 0, PASSWORD];
  const attackMinutes = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let turn = 0; turn < REQUESTS_A_MINUTE; turn += 1) {
        const act = ATTACK[requests % ATTACK.length] ?? 'password';
        const { status } = await attack(service, act);
        requests += 1;
        if (act === 'password' && status === 401) compared.passwords += 1;
        if (act === 'code' && status === 400) compared.codes += 1;
        service.clock.advance(MINUTE_MS / REQUESTS_A_MINUTE);
      }
    }
  };
  for (let hour = 0; hour < hours; hour += 1) {
    await attackMinutes(RESET_MINUTE);
    const login = await service.post('/login', { username: OWNER, password }, FROM_OWNER);
    if (login.status === 200) logins += 1;
    else faults.push(`hour ${hour}: the login was answered ${describe(login)}`);
    const next = `Next-Horse${hour}!`;
    const reset = await resetSlowly(service, next, () => attackMinutes(MINUTES_TO_TYPE));
    if (reset.status === 200) [resets, password] = [resets + 1, next];
    else faults.push(`hour ${hour}: the reset was answered ${describe(reset)}`);
    await attackMinutes(60 - RESET_MINUTE - MINUTES_TO_TYPE);
    tell(`hour ${hour + 1}: ${logins} logins, ${resets} resets, ${requests} requests of the attacker`);
  }
  return { hours, logins, resets, requests, compared, faults };
}

function attack(service: TestService, act: (typeof ATTACK)[number]): Promise<Exchange> {
  if (act === 'password') return service.post('/login', { username: OWNER, password: 'Wrong-Horse1!' }, FROM_ATTACKER);
  if (act === 'forgot') return service.post('/password/forgot', { email: OWNER }, FROM_ATTACKER);
  const guess = { email: OWNER, code: WRONG_CODE, password: 'Attackers-Horse1!' };
  return service.post('/password/reset', guess, FROM_ATTACKER);
}

async function resetSlowly(service: TestService, password: string, meanwhile: () => Promise<void>): Promise<Exchange> {
  const asked = await service.post('/password/forgot', { email: OWNER }, FROM_OWNER);
  if (asked.status !== 200) return asked;
  const code = findLastCode(service, OWNER);
  await meanwhile();
  const { session } = asked.body;
  return service.post('/password/reset', { email: OWNER, code, session, password }, FROM_OWNER);
}

function describe({ status, body }: Exchange): string {
  return `${status} ${String(body.code)}`;
}

/** The number of compared guesses per day if each comes from a separate network. */
interface DailyLimit {
  readonly passwords: number;
  readonly codes: number;
  readonly faults: readonly string[];
}

/** Measures what the limits over all networks allow an attacker with as many networks as guesses. */
async function dailyLimit(): Promise<DailyLimit> {
  const service = await startTestService(BEHIND_PROXY);
  const faults: string[] = [];
  try {
    await addUser(service, EVERYWHERE);
    const passwords = await countCompared(401, (headers) =>
      service.post('/login', { username: EVERYWHERE, password: 'Wrong-Horse1!' }, headers),
    );
    let codes = 0;
    let asked: Exchange | undefined;
    for (let before = -1; codes > before; service.clock.advance(12 * MINUTE_MS)) {
      before = codes;
      asked = await service.post('/password/forgot', { email: EVERYWHERE }, nextNetwork());
      codes += await countCompared(400, (headers) =>
        service.post(
          '/password/reset',
          { email: EVERYWHERE, code: WRONG_CODE, password: 'Attackers-Horse1!' },
          headers,
        ),
      );
    }
    asked = await service.post('/password/forgot', { email: EVERYWHERE }, FROM_OWNER);
    const reset = { email: EVERYWHERE, code: findLastCode(service, EVERYWHERE), password: 'Owners-Horse1!' };
    const done = await service.post('/password/reset', { ...reset, session: asked.body.session }, FROM_OWNER);
    if (done.status !== 200) faults.push(`the reset with its session was answered ${describe(done)}`);
    const login = { username: EVERYWHERE, password: reset.password };
    const opened = await service.post('/login', login, FROM_OWNER);
    if (opened.status !== 200) faults.push(`the login after the reset was answered ${describe(opened)}`);
    return { passwords, codes, faults };
  } finally {
    await service.close();
  }
}

/** Sends guesses until one is rejected without a comparison. */
async function countCompared(
  status: number,
  guess: (headers: Readonly<Record<string, string>>) => Promise<Exchange>,
): Promise<number> {
  let compared = 0;
  while ((await guess(nextNetwork())).status === status) compared += 1;
  return compared;
}

let networks = 0;

function nextNetwork(): Readonly<Record<string, string>> {
  networks += 1;
  return { 'x-forwarded-for': `2001:db8:${networks.toString(16)}::1` };
}
