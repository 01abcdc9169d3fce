import type { Writable } from 'node:stream';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { toClientNetwork } from './client-address.ts';

/** A small share of a process's memory. People upload one image at a time. */
const MAX_PER_NETWORK = 4;

/** The large bodies that the service is receiving or processing, by network. */
export class LargeBodies {
  readonly #open = new Map<string, number>();

  /**
   * Counts one more, until its response is closed.
   * @throws {GatewayError} too_many_requests
   */
  admit(address: string, response: Pick<Writable, 'destroyed' | 'once'>): void {
    const network = toClientNetwork(address);
    const open = this.#open.get(network) ?? 0;
    if (open >= MAX_PER_NETWORK)
      throw new GatewayError('too_many_requests', 'Too many large requests at once from this network.', {
        retryAfterSeconds: 1,
      });
    // The client can leave while the service looks up its key.
    if (response.destroyed) return;
    this.#open.set(network, open + 1);
    response.once('close', () => this.#release(network));
  }

  #release(network: string): void {
    const left = (this.#open.get(network) ?? 1) - 1;
    if (left === 0) this.#open.delete(network);
    else this.#open.set(network, left);
  }
}
