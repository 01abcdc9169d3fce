import assert from 'node:assert/strict';
import { createClient, type LoginStep, type StepKind, type StepOf, type TokensClient } from '@poolgate/client';
import type { TestService } from '../services/test-service.ts';

/** A request of the client, as sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A client in tokens mode, and everything that it sends. */
export interface RecordedClient extends TokensClient {
  readonly requests: readonly RecordedRequest[];
}

/** A client of a service, with the service's clock. */
export function createRecordedClient(
  service: TestService,
  options: Omit<Parameters<typeof createClient>[0], 'mode'> = {},
): RecordedClient {
  const requests: RecordedRequest[] = [];
  const recorded: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input));
    requests.push({ method: init?.method ?? 'GET', path: pathname, body: String(init?.body ?? '') });
    return fetch(input, init);
  };
  const now = (): number => service.clock.now();
  const client = createClient({ baseUrl: service.url, fetch: recorded, now, ...options, mode: 'tokens' });
  return { ...client, requests };
}

/** Returns the step, which must be of this kind. */
export function requireStep<Kind extends StepKind>(kind: Kind, step: LoginStep): StepOf<Kind> {
  const why = step.kind === 'refused' ? step.error.code : 'error' in step ? step.error?.code : '';
  assert.equal(step.kind, kind, `${step.kind} ${why ?? ''}`);
  return step as StepOf<Kind>;
}
