import { type Service, type StartOptions, start } from 'poolgate';
import { computeTotpCode } from '../routes/route-mfa.ts';
import { createPersistentOptions } from '../services/persistent-options.ts';
import { ShiftedClock } from '../services/shifted-clock.ts';

/** A service for a real client. */
export interface ClientService extends Service {
  /** Advances the time, by minutes at most. */
  advanceTime(ms: number): void;
  /** Returns the code of an authenticator's next step: never the code that was used last. */
  nextCode(secretCode: string): string;
  /** Returns the code of the latest message to an address. */
  codeTo(address: string): string;
}

const STEP_MS = 30_000;

/** Starts a service in memory with the current time. */
export async function startClientService(options: StartOptions = {}): Promise<ClientService> {
  const lasting = await createPersistentOptions('sqlite::memory:');
  const clock = new ShiftedClock();
  const service = await start({ ...lasting.options, ...options, clock });
  return {
    ...service,
    advanceTime: (ms) => clock.advance(ms),
    nextCode(secretCode) {
      clock.advance(STEP_MS);
      return computeTotpCode({ clock }, secretCode);
    },
    codeTo: (address) => service.outbox?.list(address)[0]?.code ?? '',
    async close() {
      await service.close();
      await lasting.remove();
    },
  };
}
