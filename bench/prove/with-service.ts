import { startTestService, type TestService } from '../../e2e/support/services/test-service.ts';

/**
 * Starts a service on a database, and closes it after the work. No service runs while a million rows are added. That takes minutes, after
 * which the clients' open connections would be closed.
 */
export async function withService<T>(
  databaseUrl: string,
  dataDir: string,
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = await startTestService({ databaseUrl, dataDir, threads: 1 });
  return work(service).finally(() => service.close());
}
