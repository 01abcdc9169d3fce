import type { Order, Reply } from '../rig/load-process.ts';
import { measureFirstAnswer } from './first-answer.ts';
import { runLoad } from './load.ts';

/** The process on the core of the load: one order after the other, until its parent lets go. */
process.on('message', (order: Order) => {
  const outcome: Promise<unknown> = order.kind === 'load' ? runLoad(order) : measureFirstAnswer(order);
  outcome.then(
    (done) => reply({ outcome: done }),
    (error: unknown) => reply({ failure: error instanceof Error ? error.message : String(error) }),
  );
});

function reply(message: Reply): void {
  process.send?.(message);
}
