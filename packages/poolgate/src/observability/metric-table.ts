/** A metric of the service: its kind, what it says, and its labels. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Each has a bounded set of values: names of routes and operations, codes, statuses. Never of users, addresses or ids. */
  readonly labels: readonly string[];
}

/** Every metric of the service itself, by its name. Those of the process (`process_*`, `nodejs_*`) stand beside them. */
export const METRICS = {
  poolgate_build_info: { kind: 'gauge', help: 'Always 1; the labels say what runs.', labels: ['version', 'node'] },
  poolgate_ready: { kind: 'gauge', help: 'Whether a part of readiness holds: 1 or 0.', labels: ['check'] },
  poolgate_http_requests_total: {
    kind: 'counter',
    help: 'Answered requests, by the pattern of their route.',
    labels: ['method', 'route', 'status'],
  },
  poolgate_http_request_seconds: {
    kind: 'histogram',
    help: 'Time from a request to its answer.',
    labels: ['route'],
  },
  poolgate_operations_total: {
    kind: 'counter',
    help: 'Operations of the identity provider; the outcome is ok, or the code of the refusal.',
    labels: ['operation', 'outcome'],
  },
  poolgate_operation_seconds: { kind: 'histogram', help: 'Time that an operation took.', labels: ['operation'] },
  poolgate_messages_total: {
    kind: 'counter',
    help: 'Tries to deliver a message: sent, postponed, or dead where it was given up.',
    labels: ['channel', 'result'],
  },
  poolgate_messages_waiting: {
    kind: 'gauge',
    help: 'Messages that wait for their delivery, of all replicas.',
    labels: [],
  },
  poolgate_messages_dead: { kind: 'gauge', help: 'Messages that were given up and are still kept.', labels: [] },
  poolgate_messages_day_used_ratio: {
    kind: 'gauge',
    help: 'How much of a part of the messages of today is used, of all replicas: 1 is all of it. None with Amazon Cognito.',
    labels: ['part'],
  },
  poolgate_webhook_deliveries_waiting: {
    kind: 'gauge',
    help: 'Events that wait for a webhook, of all replicas.',
    labels: [],
  },
  poolgate_webhook_deliveries_dead: {
    kind: 'gauge',
    help: 'Events that a webhook did not take and that are still kept.',
    labels: [],
  },
  poolgate_database_file_bytes: {
    kind: 'gauge',
    help: 'The size of the SQLite database, and of its write-ahead log. None with PostgreSQL.',
    labels: ['file'],
  },
  poolgate_lost_events_total: {
    kind: 'counter',
    help: 'Events that could not be written to the audit log.',
    labels: [],
  },
  poolgate_slow_statements_total: {
    kind: 'counter',
    help: 'Statements of the database that took longer than POOLGATE_SLOW_STATEMENT_MS.',
    labels: [],
  },
  poolgate_computing_threads: {
    kind: 'gauge',
    help: 'Threads that compute beside the event loop; 0 where it computes itself.',
    labels: [],
  },
  poolgate_computing_threads_lost_total: { kind: 'counter', help: 'Computing threads that ended unasked.', labels: [] },
  poolgate_computations_busy: {
    kind: 'gauge',
    help: 'Computations at a thread.',
    labels: [],
  },
  poolgate_computations_waiting: { kind: 'gauge', help: 'Computations that wait for a thread.', labels: [] },
  poolgate_computations_refused_total: {
    kind: 'counter',
    help: 'Computations that were refused because too many waited.',
    labels: [],
  },
} as const satisfies Record<string, MetricRow>;

/** The name of a metric. */
export type MetricName = keyof typeof METRICS;
