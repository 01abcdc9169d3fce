import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { toClientNetwork } from './client-address.ts';
import { type Rate, type RefusedRate, SharedRates } from './shared-rates.ts';

/** The source of a login step. */
export interface LoginStepSource {
  /** The client's address, as text. */
  readonly address: string;
  /** The user's name as typed; undefined if the request names none or is not counted by user. */
  readonly username: string | undefined;
  /** Undefined if anyone can name it without proof so far. */
  readonly clientId: string | undefined;
}

/** The claimed app client, and the address. */
export interface ClientAttempt {
  readonly address: string;
  readonly clientId: string;
}

/** Counts login steps across all replicas: by network, user and app client. */
export interface SharedRateLimit {
  /**
   * Counts one step. Call it before any computation.
   * @throws {GatewayError} too_many_requests
   */
  admit(step: LoginStepSource): Promise<void>;
  /**
   * Counts one step of an app client that has proven its secret.
   * @throws {GatewayError} too_many_requests
   */
  admitProvenClient(clientId: string): Promise<void>;
  /**
   * Counts nothing. Call it before a secret is compared.
   * @throws {GatewayError} too_many_requests: as far as this replica knows, the network has sent too many wrong secrets for this client
   */
  admitSecret(attempt: ClientAttempt): void;
  /**
   * Counts a wrong secret, by network and client together, so that other networks cannot lock a client out.
   * @throws {GatewayError} too_many_requests
   */
  countWrongSecret(attempt: ClientAttempt): Promise<void>;
  /** Clears this instance's cache of the counts in the store. */
  clear(): void;
}

/** Digests, so that the database contains no typed names and all have the same length. */
function digestUsername(username: string): string {
  return createHash('sha256').update(username.trim().normalize('NFKC').toLowerCase()).digest('base64url');
}

/** The maximum number of rows for a network's wrong secrets. Clients that share a row are counted together. */
const CLIENT_SLOTS = 64;

/** Returns the number of the row that counts a network's wrong secrets for a client: 0 to 63. */
export function toClientSlot(clientId: string): number {
  return createHash('sha256').update(clientId).digest().readUInt8() % CLIENT_SLOTS;
}

/** The fraction of a network's login steps that may be wrong secrets for one client. */
const WRONG_SECRETS_SHARE = 10;

const REASONS = {
  network: 'Too many requests from this network.',
  user: 'Too many login steps for this user.',
  client: 'Too many login steps for this app client.',
  secret: 'Too many wrong secrets for this app client from this address.',
} as const;

type Subject = keyof typeof REASONS;

/** Creates the limit. The store has the data that replicas share. */
export function createSharedRateLimit({
  records,
  clock,
  settings,
}: Pick<GatewayDeps, 'records' | 'clock' | 'settings'>): SharedRateLimit {
  const { loginStepsPerMinute, userStepsPerMinute, clientStepsPerMinute } = settings.rateLimits;
  const rates = new SharedRates(records.rates, clock);
  const rate = (subject: Subject, of: string, perMinute: number): readonly Rate[] =>
    perMinute === 0 ? [] : [{ name: `${subject} ${of}`, perMinute }];
  const secretRate = ({ address, clientId }: ClientAttempt): readonly Rate[] =>
    loginStepsPerMinute === 0
      ? []
      : rate(
          'secret',
          `${toClientNetwork(address)} ${toClientSlot(clientId)}`,
          Math.max(1, Math.floor(loginStepsPerMinute / WRONG_SECRETS_SHARE)),
        );
  const requireLeft = async (asked: readonly Rate[]) => throwIfRefused(await rates.take(asked));
  return {
    async admit({ address, username, clientId }) {
      // The network first: if it is refused, nothing is taken from its user or client.
      const asked = [
        ...rate('network', toClientNetwork(address), loginStepsPerMinute),
        ...(username === undefined ? [] : rate('user', digestUsername(username), userStepsPerMinute)),
        ...(clientId === undefined ? [] : rate('client', clientId, clientStepsPerMinute)),
      ];
      await requireLeft(asked);
    },
    admitProvenClient: (clientId) => requireLeft(rate('client', clientId, clientStepsPerMinute)),
    admitSecret: (attempt) => throwIfRefused(rates.findRefusal(secretRate(attempt))),
    countWrongSecret: (attempt) => requireLeft(secretRate(attempt)),
    clear: () => rates.clear(),
  };
}

function throwIfRefused(refused: RefusedRate | undefined): void {
  if (refused === undefined) return;
  const reason = REASONS[refused.rate.name.split(' ')[0] as Subject];
  throw new GatewayError('too_many_requests', reason, { retryAfterSeconds: refused.retryAfterSeconds });
}
