import { logInAtRate, type RateOptions } from '../../e2e/proofs/overload.ts';

/** The process that sends, on a core of its own: one order after the other. */
process.on('message', (order: RateOptions) => {
  void logInAtRate(order).then((figure) => process.send?.(figure));
});
