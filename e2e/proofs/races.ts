import type { Exchange } from '../support/requests/exchange.ts';
import { ORIGIN, RP_ID } from '../support/routes/route-passkeys.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, startTestService } from '../support/services/test-service.ts';
import { RACE_OPTIONS, type RacedSecret, racedSecrets } from './raced-secrets.ts';

/** The results of races for one kind of secret. */
interface SecretFigure {
  readonly name: string;
  readonly races: number;
  readonly winners: number;
}

/** The results of races. */
export interface RacesFigure {
  readonly secrets: readonly SecretFigure[];
  readonly requests: number;
  /** Races without exactly one winner, and losers without the expected error. */
  readonly faults: readonly string[];
}

/** The options of races. */
export interface RacesOptions {
  /** For each kind of secret. */
  readonly races: number;
  /** Only secrets whose names it matches. */
  readonly names?: RegExp;
  readonly tell?: (line: string) => void;
}

const RACERS_AT_EACH = 2;
/** The number of recovery codes. */
const RACES_OF_A_USER = 10;
const TOLD_EVERY = 500;
/** The time between races: no limit of messages or guesses is reached, and an authenticator shows another code. */
const PAUSE_MS = 3_600_000;
/** The callback of forward authentication returns 302 for a valid ticket, and 403 for a used one. */
const LOST: ReadonlySet<number> = new Set([200, 302, 400, 401, 403]);

/** Sends one secret several times at the same instant to two services on one database, repeatedly. */
export async function races({ races: count, names = /./, tell = () => {} }: RacesOptions): Promise<RacesFigure> {
  const replicas = await openReplicas((options, clock) =>
    startTestService({ ...options, ...RACE_OPTIONS, rpId: RP_ID, origins: [ORIGIN] }, clock),
  );
  const secrets: SecretFigure[] = [];
  const faults: string[] = [];
  const raced = racedSecrets().filter(({ name }) => names.test(name));
  try {
    for (const [index, secret] of raced.entries()) {
      const found = await racesFor(secret, { replicas, count, user: `racer-${index}`, tell });
      secrets.push({ name: secret.name, races: count, winners: found.winners });
      faults.push(...found.faults.map((fault) => `${secret.name}: ${fault}`));
    }
  } finally {
    await replicas.close();
  }
  return { secrets, requests: raced.length * count * 2 * RACERS_AT_EACH, faults };
}

interface SecretRaces {
  readonly replicas: Replicas;
  readonly count: number;
  readonly user: string;
  readonly tell: (line: string) => void;
}

async function racesFor(secret: RacedSecret, { replicas: { one, other }, count, user, tell }: SecretRaces) {
  const {
    winners: winnersOf = (answers: readonly Exchange[]) => answers.filter(({ status }) => status === 200).length,
  } = secret;
  const entrances = [one, other].flatMap((service) => Array.from({ length: RACERS_AT_EACH }, () => service));
  const faults: string[] = [];
  let winners = 0;
  for (let first = 0; first < count; first += RACES_OF_A_USER) {
    const email = `${user}-${first}@example.com`;
    await addUser(one, email);
    const arrange = await secret.begin(one, email);
    for (let race = first; race < Math.min(first + RACES_OF_A_USER, count); race += 1) {
      one.clock.advance(secret.pauseMs ?? PAUSE_MS);
      const present = await arrange();
      const answers = await Promise.all(entrances.map(present));
      const won = winnersOf(answers);
      winners += won;
      if (won !== 1) faults.push(`race ${race}: ${won} winners`);
      const unexpected = answers.filter(({ status }) => !LOST.has(status));
      faults.push(...unexpected.map(({ status, text }) => `race ${race}: ${status} ${text}`));
      if ((race + 1) % TOLD_EVERY === 0 || race + 1 === count) tell(`${secret.name}: ${race + 1} of ${count} races`);
    }
  }
  return { winners, faults };
}
