import { sendRequest } from '../requests/exchange.ts';

/** The acknowledged writes of a client that writes without a pause, and its other responses. */
export interface WriteLedger {
  /** The addresses of users whose creation returned 201. */
  readonly created: readonly string[];
  /** The number of 503 responses. */
  readonly refused: number;
  /** Every other response, and requests without one. */
  readonly others: readonly string[];
  /** The duration of the longest request. */
  readonly longestMs: number;
}

/** A client that writes. */
export interface LedgerWriter {
  readonly ledger: WriteLedger;
  /** Resolves when a write that starts after the call is rejected, or acknowledged. */
  next(outcome: 'created' | 'refused'): Promise<void>;
  stop(): Promise<WriteLedger>;
}

/** A service, and the headers for its admin routes. */
export interface LedgerTarget {
  readonly url: string;
  readonly asAdmin: Readonly<Record<string, string>>;
}

const IS_REFUSAL = /"code":"unavailable"/;

/** Creates users one after another at a service that may reject requests at any time. */
export function startLedgerWriter({ url, asAdmin: headers }: LedgerTarget, name: string): LedgerWriter {
  const created: string[] = [];
  const others: string[] = [];
  const waiting = { created: new Set<() => void>(), refused: new Set<() => void>() };
  let refused = 0;
  let longestMs = 0;
  let isStopped = false;
  const settle = (outcome: keyof typeof waiting, began: ReadonlySet<() => void>): void => {
    for (const resolve of began) {
      waiting[outcome].delete(resolve);
      resolve();
    }
  };
  const write = async (number: number): Promise<void> => {
    const email = `${name}-${number}@example.com`;
    const asked = { created: new Set(waiting.created), refused: new Set(waiting.refused) };
    const began = performance.now();
    const body = { email, temp_password: 'Correct-Horse1!' };
    const answer = await sendRequest(url, 'POST', '/admin/users', { headers, body }).catch((error: Error) => error);
    longestMs = Math.max(longestMs, performance.now() - began);
    if (answer instanceof Error) others.push(answer.message);
    else if (answer.status === 201) {
      created.push(email);
      settle('created', asked.created);
    } else if (answer.status === 503 && IS_REFUSAL.test(answer.text)) {
      refused += 1;
      settle('refused', asked.refused);
    } else others.push(`${answer.status} ${answer.text}`);
  };
  const running = (async () => {
    for (let number = 0; !isStopped; number += 1) await write(number);
  })();
  const ledger: WriteLedger = {
    created,
    others,
    get refused() {
      return refused;
    },
    get longestMs() {
      return longestMs;
    },
  };
  return {
    ledger,
    next: (outcome) => new Promise<void>((resolve) => waiting[outcome].add(resolve)),
    async stop() {
      isStopped = true;
      await running;
      return ledger;
    },
  };
}

/** Returns the acknowledged addresses that the service does not know. */
export async function listLostUsers(
  { url, asAdmin: headers }: LedgerTarget,
  created: readonly string[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const email of created) {
    const { status } = await sendRequest(url, 'GET', `/admin/users/${email}`, { headers });
    if (status !== 200) lost.push(`${email} was created and is answered by ${status}`);
  }
  return lost;
}
