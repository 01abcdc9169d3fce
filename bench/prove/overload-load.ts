import { logInAtRate, type RateOptions } from '../../e2e/proofs/overload.ts';

/** The sending process, on a separate core: it runs one order after another. */
process.on('message', (order: RateOptions) => {
  void logInAtRate(order).then((figure) => process.send?.(figure));
});
