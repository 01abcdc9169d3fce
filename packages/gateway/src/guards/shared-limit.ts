import { createHash } from 'node:crypto';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import { clientNetwork } from './address.ts';
import { type Rate, SharedRates } from './shared-rates.ts';

/** Who takes a login step. */
export interface LoginStep {
  /** The client's address, as text. */
  readonly address: string;
  /** The user's name as it was typed; undefined where the request names none, or is not counted by it. */
  readonly username: string | undefined;
  readonly clientId: string;
}

/** Counts login steps over all replicas: by network, by user and by app client. */
export interface SharedLimit {
  /**
   * Counts one step. To be called before anything is computed for it.
   * @throws {GatewayError} too_many_requests
   */
  admit(step: LoginStep): Promise<void>;
}

/** Digests, so that no name that somebody typed lies in the database, and each is as long as the other. */
function digestOf(username: string): string {
  return createHash('sha256').update(username.trim().normalize('NFKC').toLowerCase()).digest('base64url');
}

const REASONS = {
  network: 'Too many requests from this address.',
  user: 'Too many login steps for this user.',
  client: 'Too many login steps for this app client.',
} as const;

type Subject = keyof typeof REASONS;

/** Makes the limit. What replicas share is in the store. */
export function createSharedLimit({
  records,
  clock,
  settings,
}: Pick<GatewayDeps, 'records' | 'clock' | 'settings'>): SharedLimit {
  const { loginStepsPerMinute, userStepsPerMinute, clientStepsPerMinute } = settings.rateLimits;
  const rates = new SharedRates(records.rates, clock);
  const rate = (subject: Subject, of: string, perMinute: number): readonly Rate[] =>
    perMinute === 0 ? [] : [{ name: `${subject} ${of}`, perMinute }];
  return {
    async admit({ address, username, clientId }) {
      // The network first: one that is refused takes nothing of what is its user's or its client's.
      const asked = [
        ...rate('network', clientNetwork(address), loginStepsPerMinute),
        ...(username === undefined ? [] : rate('user', digestOf(username), userStepsPerMinute)),
        ...rate('client', clientId, clientStepsPerMinute),
      ];
      const refused = await rates.take(asked);
      if (refused === undefined) return;
      const reason = REASONS[refused.rate.name.split(' ')[0] as Subject];
      throw new GatewayError('too_many_requests', reason, { retryAfterSeconds: refused.retryAfterSeconds });
    },
  };
}
