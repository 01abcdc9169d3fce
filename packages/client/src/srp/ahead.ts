import type { SrpRunner } from './runner.ts';
import type { StartedSrp } from './tasks.ts';

/** Computes SRP, and a login's first step before its user is known: the private value depends on nobody. */
export interface SrpAhead {
  readonly srp: SrpRunner;
  /** Has the next first step ready. Gives when it is; never rejects. */
  readonly prepareSrp: () => Promise<unknown>;
}

/** A value that was made ahead is given out once: whoever asks next gets another one. */
export function computeAhead(run: SrpRunner): SrpAhead {
  let ahead: Promise<StartedSrp> | undefined;
  const take = (): Promise<StartedSrp> => {
    const taken = ahead;
    ahead = undefined;
    const start = (): Promise<StartedSrp> => run('start', null);
    return taken === undefined ? start() : taken.catch(start);
  };
  return {
    srp: (task, input) => (task === 'start' ? (take() as ReturnType<typeof run<typeof task>>) : run(task, input)),
    prepareSrp() {
      ahead ??= run('start', null);
      return ahead.catch(() => undefined);
    },
  };
}
