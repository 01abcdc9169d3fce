/** A metric of the service: its kind, its help text and its labels. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Each has a bounded set of values: names of routes and operations, codes, statuses; never users, addresses or ids. */
  readonly labels: readonly string[];
}

/** Every metric of the service itself, by name. The metrics of the process (`process_*`, `nodejs_*`) are added to them. */
export const METRICS = {
  poolgate_build_info: { kind: 'gauge', help: 'Always 1. The labels name the versions.', labels: ['version', 'node'] },
  poolgate_ready: { kind: 'gauge', help: '1 if this part of readiness passes, otherwise 0.', labels: ['check'] },
  poolgate_http_requests_total: {
    kind: 'counter',
    help: 'Answered requests by route pattern.',
    labels: ['method', 'route', 'status'],
  },
  poolgate_http_request_seconds: {
    kind: 'histogram',
    help: 'Time to answer a request.',
    labels: ['route'],
  },
  poolgate_operations_total: {
    kind: 'counter',
    help: 'Operations of the identity provider. The outcome is ok or the error code.',
    labels: ['operation', 'outcome'],
  },
  poolgate_operation_seconds: { kind: 'histogram', help: 'Duration of an operation.', labels: ['operation'] },
  poolgate_messages_total: {
    kind: 'counter',
    help: 'Attempts to deliver a message: sent, postponed, or dead if it was given up.',
    labels: ['channel', 'result'],
  },
  poolgate_messages_waiting: {
    kind: 'gauge',
    help: 'Messages that wait for delivery, on all replicas.',
    labels: [],
  },
  poolgate_messages_dead: { kind: 'gauge', help: 'Messages that were given up and are still stored.', labels: [] },
  poolgate_messages_day_used_ratio: {
    kind: 'gauge',
    help: 'Used share of a part of the daily message limit, on all replicas; 1 is all of it. Not available with Amazon Cognito.',
    labels: ['part'],
  },
  poolgate_webhook_deliveries_waiting: {
    kind: 'gauge',
    help: 'Webhook deliveries that wait, on all replicas.',
    labels: [],
  },
  poolgate_webhook_deliveries_dead: {
    kind: 'gauge',
    help: 'Webhook deliveries that were given up and are still stored.',
    labels: [],
  },
  poolgate_database_file_bytes: {
    kind: 'gauge',
    help: 'Size of the SQLite database and of its write-ahead log. Not available with PostgreSQL.',
    labels: ['file'],
  },
  poolgate_lost_events_total: {
    kind: 'counter',
    help: 'Events that could not be written to the audit log.',
    labels: [],
  },
  poolgate_slow_statements_total: {
    kind: 'counter',
    help: 'Database statements that took longer than POOLGATE_SLOW_STATEMENT_MS.',
    labels: [],
  },
  poolgate_computing_threads: {
    kind: 'gauge',
    help: 'Worker threads; 0 if the event loop computes.',
    labels: [],
  },
  poolgate_computing_threads_lost_total: {
    kind: 'counter',
    help: 'Worker threads that exited unexpectedly.',
    labels: [],
  },
  poolgate_computations_busy: {
    kind: 'gauge',
    help: 'Computations that a worker thread runs or has accepted.',
    labels: [],
  },
  poolgate_computations_waiting: { kind: 'gauge', help: 'Computations that wait for a worker thread.', labels: [] },
  poolgate_computations_refused_total: {
    kind: 'counter',
    help: 'Computations that were refused because too many waited.',
    labels: [],
  },
} as const satisfies Record<string, MetricRow>;

/** The name of a metric. */
export type MetricName = keyof typeof METRICS;
