import type { LoadProcess } from './load-process.ts';

/** What one round gives: values by the name of their metric. */
export type Sample = Readonly<Record<string, number>>;

/** What a contender may use of the rig. */
export interface ContenderEnvironment {
  /** Runs drives and watches starts, on the core of the load. */
  readonly load: LoadProcess;
  /** An empty folder, removed after the run. */
  newFolder(): string;
  /** How long servers are loaded. */
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
  /** Processes whose CPU time belongs to the measurement. */
  readonly pids: readonly number[];
}

/** Something that is measured: one of ours, a peer, or a floor. */
export interface Contender {
  readonly name: string;
  /** What it does less or more than ours, so that nobody takes unlike things for like. Printed below the table. */
  readonly note?: string;
  open(stage: ContenderEnvironment): Promise<RunningContender>;
}

/** A column of a scenario's table. */
export interface Metric {
  readonly key: string;
  readonly heading: string;
  readonly digits: number;
  /** Set where the value follows the pace of the core: a rate falls and a time grows when the core is slow. */
  readonly follows?: keyof typeof PACE_CORRECTIONS;
}

/** A value as it would be where one exponentiation takes a millisecond of CPU time. */
export const PACE_CORRECTIONS = {
  rate: (value: number, paceMs: number) => value * paceMs,
  time: (value: number, paceMs: number) => value / paceMs,
} as const;

/** The median over all rounds of a contender's metric. */
export type Median = (contender: string, metric: string) => number;

/** A ratio with the bound that it must keep. */
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
