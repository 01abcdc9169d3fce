/**
 * Metrics, traces and the log schema. Without a metrics port and OpenTelemetry nothing is installed
 * (docs/decisions/0045-observability-off-by-default.md).
 */
import type { DeliveryReport } from '@poolgate/pool';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { readVersion } from '../process/version.ts';
import { METRICS, type MetricName, type MetricRow } from './metric-table.ts';

/** From a read of one millisecond to the maximum duration of a login. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Values of labels, by name. */
type Labels = Readonly<Record<string, string>>;

/** Counts what happens. */
export interface Metrics {
  add(name: MetricName, labels?: Labels, by?: number): void;
  observeSeconds(name: MetricName, labels: Labels, seconds: number): void;
  /** Counts the result of an attempt to deliver a message. */
  countDelivery(report: DeliveryReport): void;
  /** The callback runs at each collection and sets the values that are shown. */
  onCollect(collect: (set: (name: MetricName, value: number, labels?: Labels) => void) => Promise<void>): void;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

type Kinds = { readonly counter: Counter; readonly gauge: Gauge; readonly histogram: Histogram };

const CREATE: { readonly [Kind in keyof Kinds]: (options: MetricOptions) => Kinds[Kind] } = {
  counter: (options) => new Counter(options),
  gauge: (options) => new Gauge(options),
  histogram: (options) => new Histogram({ ...options, buckets: SECONDS_BUCKETS }),
};

interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}

/** Creates the metrics of one service. Two services in one process count separately. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = new Map<MetricName, Counter | Gauge | Histogram>();
  for (const [name, { kind, help, labels }] of Object.entries<MetricRow>(METRICS)) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    made.set(name as MetricName, CREATE[kind](options));
  }
  const find = <Kind extends keyof Kinds>(name: MetricName, kind: Kind): Kinds[Kind] => {
    if (METRICS[name].kind !== kind) throw new TypeError(`${name} is no ${kind}`);
    return made.get(name) as unknown as Kinds[Kind];
  };
  const collectors: Parameters<Metrics['onCollect']>[0][] = [];
  find('poolgate_build_info', 'gauge').set({ version: readVersion(), node: process.versions.node }, 1);
  const add: Metrics['add'] = (name, labels = {}, by = 1) => find(name, 'counter').inc({ ...labels }, by);
  return {
    add,
    observeSeconds: (name, labels, seconds) => find(name, 'histogram').observe({ ...labels }, seconds),
    countDelivery: ({ channel, result }) => add('poolgate_messages_total', { channel, result }),
    onCollect: (collect) => void collectors.push(collect),
    async text() {
      for (const collect of collectors)
        await collect((name, value, labels = {}) => find(name, 'gauge').set({ ...labels }, value));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
