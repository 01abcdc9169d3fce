import type { DeliveryReport } from '@poolgate/pool';
import type { Container } from '../container/container.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type MetricsServer, startMetricsServer } from '../observability/metrics-server.ts';
import type { Observers } from '../observability/observe-provider.ts';
import { openTracing } from '../observability/tracing.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import type { ThreadFigures } from '../threads/threads.ts';
import type { Readiness } from './readiness.ts';

/** The settings that decide whether anything is observed. */
interface ObservedSettings {
  readonly metricsPort: number | undefined;
  readonly metricsHost: string | undefined;
  readonly metricsNames: readonly string[];
  readonly baseUrl: string | undefined;
  readonly host: string;
}

/** Opens the observers of a service. The metrics library is loaded only if a port for metrics is configured. */
export async function openObservers({ metricsPort }: Pick<ObservedSettings, 'metricsPort'>): Promise<Observers> {
  const metrics = metricsPort === undefined ? undefined : (await import('../observability/metrics.ts')).createMetrics();
  return { metrics, tracing: openTracing() };
}

/** Counts the results of messages in the metrics. */
export function createDeliveryCounter({ metrics }: Observers): (report: DeliveryReport) => void {
  return metrics === undefined ? () => {} : metrics.countDelivery;
}

/** Returns the growth since the previous call. */
function createGrowthCounter(): (total: number) => number {
  let last = 0;
  return (total) => {
    const grown = total - last;
    last = total;
    return grown;
  };
}

function collectThreadMetrics(metrics: Metrics, figures: () => ThreadFigures): void {
  const [lostSince, refusedSince] = [createGrowthCounter(), createGrowthCounter()];
  metrics.onCollect(async (set) => {
    const { running, busy, waiting, lost, refused } = figures();
    set('poolgate_computing_threads', running);
    set('poolgate_computations_busy', busy);
    set('poolgate_computations_waiting', waiting);
    metrics.add('poolgate_computing_threads_lost_total', {}, lostSince(lost));
    metrics.add('poolgate_computations_refused_total', {}, refusedSince(refused));
  });
}

/** If the store does not answer, its last figures stay; readiness reports the problem. */
function collectStoreMetrics(
  metrics: Metrics,
  { figures, backend }: Pick<Container, 'figures' | 'backend'>,
  readiness: Readiness,
): void {
  metrics.onCollect(async (set) => {
    for (const { check, holds } of await readiness.runChecks()) set('poolgate_ready', holds ? 1 : 0, { check });
    const counted = await figures().catch(() => undefined);
    if (counted === undefined) return;
    const daily = await backend.embedded?.pool.dailyMessages().catch(() => []);
    for (const { part, used, limit } of daily ?? []) set('poolgate_messages_day_used_ratio', used / limit, { part });
    set('poolgate_messages_waiting', counted.messages.waiting);
    set('poolgate_messages_dead', counted.messages.dead);
    set('poolgate_webhook_deliveries_waiting', counted.deliveries.waiting);
    set('poolgate_webhook_deliveries_dead', counted.deliveries.dead);
    for (const [file, bytes] of Object.entries(counted.fileBytes ?? {}))
      set('poolgate_database_file_bytes', bytes, { file });
  });
}

/**
 * Serves the metrics if a port is configured.
 * @throws {StartError} `address_in_use`, `address_refused`
 */
export async function openMetricsServer(
  { metrics }: Observers,
  container: Container,
  readiness: Readiness,
  log: WriteLogLine,
): Promise<MetricsServer | undefined> {
  const settings: ObservedSettings = container.configuration.settings;
  const { metricsPort: port, metricsHost: host = settings.host, metricsNames, baseUrl } = settings;
  if (metrics === undefined || port === undefined) return undefined;
  collectThreadMetrics(metrics, () => container.threads.figures());
  collectStoreMetrics(metrics, container, readiness);
  const names = [...metricsNames, host, ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname])];
  return startMetricsServer(metrics, { host, port, names }, log);
}
