import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { toClientNetwork } from './client-address.ts';
import { type Rate, type RefusedRate, SharedRates } from './shared-rates.ts';

/** Who takes a login step. */
export interface LoginStepSource {
  /** The client's address, as text. */
  readonly address: string;
  /** The user's name as it was typed; undefined where the request names none, or is not counted by it. */
  readonly username: string | undefined;
  /** Undefined where anybody can name it, and whoever asks has yet to prove to be it. */
  readonly clientId: string | undefined;
}

/** Who says to be an app client, and from where. */
export interface ClientAttempt {
  readonly address: string;
  readonly clientId: string;
}

/** Counts login steps over all replicas: by network, by user and by app client. */
export interface SharedRateLimit {
  /**
   * Counts one step. To be called before anything is computed for it.
   * @throws {GatewayError} too_many_requests
   */
  admit(step: LoginStepSource): Promise<void>;
  /**
   * Counts one step of an app client that has proven itself by its secret.
   * @throws {GatewayError} too_many_requests
   */
  admitProvenClient(clientId: string): Promise<void>;
  /**
   * Counts nothing. To be called before a secret is looked at.
   * @throws {GatewayError} too_many_requests: as far as is known here, this network has brought too many wrong secrets for this client
   */
  admitSecret(attempt: ClientAttempt): void;
  /**
   * Counts a secret that was wrong: by network and client together, so that nobody keeps a client out from elsewhere.
   * @throws {GatewayError} too_many_requests
   */
  countWrongSecret(attempt: ClientAttempt): Promise<void>;
}

/** Digests, so that no name that somebody typed lies in the database, and each is as long as the other. */
function digestUsername(username: string): string {
  return createHash('sha256').update(username.trim().normalize('NFKC').toLowerCase()).digest('base64url');
}

/** A network has so many rows for wrong secrets at most, whatever clients it names: those of a row are counted together. */
const CLIENT_SLOTS = 64;

function toSlot(clientId: string): number {
  return createHash('sha256').update(clientId).digest().readUInt8() % CLIENT_SLOTS;
}

/** Of the login steps of a network this share may be wrong secrets for one client. */
const WRONG_SECRETS_SHARE = 10;

const REASONS = {
  network: 'Too many requests from this address.',
  user: 'Too many login steps for this user.',
  client: 'Too many login steps for this app client.',
  secret: 'Too many wrong secrets for this app client from this address.',
} as const;

type Subject = keyof typeof REASONS;

/** Makes the limit. What replicas share is in the store. */
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
          `${toClientNetwork(address)} ${toSlot(clientId)}`,
          Math.max(1, Math.floor(loginStepsPerMinute / WRONG_SECRETS_SHARE)),
        );
  const requireLeft = async (asked: readonly Rate[]) => throwIfRefused(await rates.take(asked));
  return {
    async admit({ address, username, clientId }) {
      // The network first: one that is refused takes nothing of what is its user's or its client's.
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
  };
}

function throwIfRefused(refused: RefusedRate | undefined): void {
  if (refused === undefined) return;
  const reason = REASONS[refused.rate.name.split(' ')[0] as Subject];
  throw new GatewayError('too_many_requests', reason, { retryAfterSeconds: refused.retryAfterSeconds });
}
