import type { Order, Reply } from '../rig/load-process.ts';
import { measureFirstResponse } from './first-answer.ts';
import { runLoad } from './load.ts';

/** The process on the core of the load: it runs one order after another until its parent disconnects. */
process.on('message', (order: Order) => {
  const outcome: Promise<unknown> = order.kind === 'load' ? runLoad(order) : measureFirstResponse(order);
  outcome.then(
    (done) => sendReply({ outcome: done }),
    (error: unknown) => sendReply({ failure: error instanceof Error ? error.message : String(error) }),
  );
});

function sendReply(message: Reply): void {
  process.send?.(message);
}
