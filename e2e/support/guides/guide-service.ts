import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type ServiceProcess, startServiceProcess } from '../services/service-process.ts';

/** A service with a folder for its data, and what the commands of a guide need to find that folder. */
export interface GuideService {
  readonly service: ServiceProcess;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the service as a guide says, in a folder that is removed with it. */
export async function startGuideService(
  t: TestContext,
  variables: Readonly<Record<string, string>> = {},
): Promise<GuideService> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-guide-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { POOLGATE_DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'poolgate.db')}` };
  const service = await startServiceProcess(folder, { ...environment, ...variables });
  t.after(() => service.stop());
  return { service, environment };
}
