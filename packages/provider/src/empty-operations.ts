import type { AccessRow } from './operation-row.ts';

/** A validated request of {@link EMPTY_OPERATIONS}. */
export interface EmptyOperationRequest {
  /** Absent if the operation names no pool. */
  readonly UserPoolId?: string;
  readonly ClientId?: string;
}

/** An operation that reads resources which no pool here has. */
export type EmptyOperationRow = AccessRow & {
  /** Cognito's output for no resources. */
  readonly createOutput: (request: EmptyOperationRequest) => Readonly<Record<string, unknown>>;
};

const READ = { access: 'admin', scope: 'users:read' } as const;

/**
 * Operations of the Cognito API that read AWS-only resources. No pool here has any, so they return empty results like a Cognito pool
 * without them, and tools that read back their setup keep working. A pool that does not exist is an error.
 */
export const EMPTY_OPERATIONS = {
  ListTerms: { ...READ, createOutput: () => ({ Terms: [] }) },
  ListUserImportJobs: { ...READ, createOutput: () => ({ UserImportJobs: [] }) },
  ListUserPoolReplicas: { ...READ, createOutput: () => ({ UserPoolReplicas: [] }) },
} as const satisfies Record<string, EmptyOperationRow>;
