import type { LoadProcess } from './load-process.ts';

/** The result of one round: values by metric name. */
export type Sample = Readonly<Record<string, number>>;

/** The tools that a contender may use. */
export interface ContenderEnvironment {
  /** Runs drives and times starts, on the core of the load. */
  readonly load: LoadProcess;
  /** An empty folder, removed after the run. */
  newFolder(): string;
  /** The durations of the load. */
  readonly durations: LoadDurations;
}

/** Seconds of load: before the first round, and in each round. */
export interface LoadDurations {
  readonly warmUpSeconds: number;
  readonly roundSeconds: number;
}

/** A contender that is ready to be measured. */
export interface RunningContender {
  round(): Promise<Sample>;
  close(): Promise<void>;
  /** Processes whose CPU time counts. */
  readonly pids: readonly number[];
}

/** A measured program: Poolgate, a peer, or a floor. */
export interface Contender {
  readonly name: string;
  /** How it differs from Poolgate, so that readers do not compare unlike programs. Printed below the table. */
  readonly note?: string;
  open(stage: ContenderEnvironment): Promise<RunningContender>;
}

/** A column of a scenario's table. */
export interface Metric {
  readonly key: string;
  readonly heading: string;
  readonly digits: number;
  /** Set if the value depends on the core's pace: on a slow core, rates fall and times grow. */
  readonly follows?: keyof typeof PACE_CORRECTIONS;
}

/** Corrects a value to a core on which one exponentiation takes a millisecond of CPU time. */
export const PACE_CORRECTIONS = {
  rate: (value: number, paceMs: number) => value * paceMs,
  time: (value: number, paceMs: number) => value / paceMs,
} as const;

/** The median over all rounds of a contender's metric. */
export type Median = (contender: string, metric: string) => number;

/** A ratio with its required bound. */
export interface Goal {
  readonly text: string;
  ratio(median: Median): number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

/** A table of contenders that are compared with each other. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly metrics: readonly Metric[];
  readonly contenders: readonly Contender[];
  readonly goals: readonly Goal[];
}
