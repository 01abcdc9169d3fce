import { openStore } from '@poolgate/store';
import { countRowBytes, countStoredBytes, readStoredRows } from '@poolgate/store/testing';
import { createOAuthClient, createResourceServer } from '../support/oauth/oauth-client.ts';
import { BEHIND_PROXY, createClientAddress, type Exchange } from '../support/requests/exchange.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';
import { ANONYMOUS_REQUESTS, type AnonymousRequest } from './anonymous-requests.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The times of the checks: after a sweep this long after the requests. */
const AGES = {
  '10 min': 10 * MINUTE_MS,
  '1 h': HOUR_MS,
  '1 d': DAY_MS + MINUTE_MS,
  '8 d': 8 * DAY_MS,
  '31 d': 31 * DAY_MS,
  '91 d': 91 * DAY_MS,
} as const satisfies Readonly<Record<string, number>>;

type Age = keyof typeof AGES;

/** The storage of one request. */
export interface RequestBytes {
  readonly request: string;
  readonly isKept: AnonymousRequest['isKept'];
  /** The statuses of its responses. */
  readonly statuses: readonly number[];
  /** The number of responses that were rate-limited or faults: an early rejection stores nothing and proves nothing. */
  readonly limited: number;
  /** Rows by table, per request. */
  readonly rows: Readonly<Record<string, number>>;
  /** Bytes of the values in these rows. */
  readonly bytes: number;
  /** The growth of the database in bytes, including indexes; its precision is one page divided by the requests. */
  readonly storage: number;
  /** The remaining bytes of values at each time. */
  readonly left: Readonly<Record<Age, number>>;
}

/** The hourly records of all of them in the audit log, which contain counts and do not grow. */
export interface AnonymousBytes {
  readonly requests: readonly RequestBytes[];
  readonly hourRecords: { readonly rows: number; readonly bytes: number };
}

const HOURS = /\["retention","bounded"\],\["count","\d+"\]/;

/** Sends each request from another address: otherwise the limits of one source would stop most of them before they store anything. */
function askedFromElsewhere(service: TestService) {
  const { post, get, call } = service;
  let refused = 0;
  const noted = async (answer: Promise<Exchange>): Promise<Exchange> => {
    const { status, body } = await answer;
    // The Cognito-compatible API reports a limit as a 400 with a separate name.
    if (status === 429 || status >= 500 || LIMITED.test(String(body.__type))) refused += 1;
    return answer;
  };
  const asked: TestService = {
    ...service,
    post: (path, body, headers) => noted(post(path, body, { ...createClientAddress(), ...headers })),
    get: (path, headers) => noted(get(path, { ...createClientAddress(), ...headers })),
    call: (operation, input, headers) => noted(call(operation, input, { ...createClientAddress(), ...headers })),
  };
  return { asked, refused: () => refused };
}

const LIMITED = /LimitExceeded|TooManyRequests|InternalError/;

/** Sends each anonymous request the given number of times, each with another invented name, and checks what is stored, and for how long. */
export async function anonymousBytes(
  databaseUrl: string,
  times: number,
  tell: (line: string) => void = () => {},
): Promise<AnonymousBytes> {
  const service = await startTestService({ databaseUrl, ...BEHIND_PROXY });
  const { asked, refused } = askedFromElsewhere(service);
  const store = await openStore(databaseUrl);
  await createResourceServer(service);
  const machine = { GenerateSecret: true, AllowedOAuthFlows: ['client_credentials'] };
  const clients = {
    open: await createOAuthClient(service),
    machine: await createOAuthClient(service, { ...machine, AllowedOAuthScopes: ['things/read'] }),
  };
  try {
    const before = new Set([...(await readStoredRows(databaseUrl)).values()].flat());
    const seen = new Set(before);
    const sent: (Omit<RequestBytes, 'left'> & { readonly made: ReadonlySet<string> })[] = [];
    for (const [index, { request, isKept, send }] of ANONYMOUS_REQUESTS.entries()) {
      const stored = await countStoredBytes(databaseUrl);
      const statuses = new Set<number>();
      const refusedBefore = refused();
      for (let turn = 0; turn < times; turn++) {
        statuses.add((await send(asked, `nobody-${index}-${turn}@example.test`, clients)).status);
      }
      const storage = ((await countStoredBytes(databaseUrl)) - stored) / times;
      const fresh = [...(await readStoredRows(databaseUrl))].flatMap(([table, rows]) =>
        rows.filter((row) => !seen.has(row)).map((row) => ({ table, row })),
      );
      const rows: Record<string, number> = {};
      for (const { table, row } of fresh) {
        seen.add(row);
        rows[table] = (rows[table] ?? 0) + 1 / times;
      }
      const bytes = fresh.reduce((sum, { row }) => sum + countRowBytes(row), 0) / times;
      const made = new Set(fresh.map(({ row }) => row));
      sent.push({
        request,
        isKept,
        statuses: [...statuses],
        limited: refused() - refusedBefore,
        rows,
        bytes,
        storage,
        made,
      });
      tell(`${request}: ${bytes.toFixed(0)} bytes`);
    }
    const left = new Map<string, Record<string, number>>(sent.map(({ request }) => [request, {}]));
    let hourRecords = { rows: 0, bytes: 0 };
    for (const [age, ageMs] of Object.entries(AGES)) {
      const nowMs = service.clock.now() + ageMs;
      await Promise.all([store.poolStore.sweep(nowMs), store.records.sweep(nowMs)]);
      const now = [...(await readStoredRows(databaseUrl)).values()].flat();
      const there = new Set(now);
      for (const { request, made } of sent) {
        const kept = [...made].filter((row) => there.has(row));
        Object.assign(left.get(request) ?? {}, {
          [age]: kept.reduce((sum, row) => sum + countRowBytes(row), 0) / times,
        });
      }
      const hours = now.filter((row) => HOURS.test(row));
      if (hours.length > hourRecords.rows) {
        hourRecords = { rows: hours.length, bytes: hours.reduce((sum, row) => sum + countRowBytes(row), 0) };
      }
    }
    const requests = sent.map(({ made: _, ...found }) => ({
      ...found,
      left: left.get(found.request) as Record<Age, number>,
    }));
    return { requests, hourRecords };
  } finally {
    await store.close();
    await service.close();
  }
}

/** The maximum number of bytes of values per request; a registration stores a verifier and a message. */
const MAX_BYTES = 1_024;
const MAX_BYTES_OF_A_REGISTRATION = 8_192;

/** Lists what contradicts that anonymous requests store little, for a short time. */
export function excessiveStorage({ requests, hourRecords }: AnonymousBytes): readonly string[] {
  const faults = requests.flatMap(({ request, isKept, limited, bytes, left }) => {
    const most = isKept === 'registration' ? MAX_BYTES_OF_A_REGISTRATION : MAX_BYTES;
    const many = bytes > most ? [`${request} leaves ${bytes} bytes`] : [];
    const long = isKept === undefined && left['1 d'] > 0 ? [`${request} leaves ${left['1 d']} bytes after a day`] : [];
    const stopped = isKept !== 'in the log' && limited > 0 ? [`${request} was stopped ${limited} times`] : [];
    return [...many, ...long, ...stopped];
  });
  return hourRecords.rows > requests.length * 2 ? [...faults, `${hourRecords.rows} records of hours`] : faults;
}
