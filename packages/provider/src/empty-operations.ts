import type { AccessRow } from './operation-row.ts';

/** What a request of {@link EMPTY_OPERATIONS} says, once it was checked. */
export interface EmptyOperationRequest {
  /** Absent where the operation names no pool. */
  readonly UserPoolId?: string;
  readonly ClientId?: string;
}

/** An operation that reads what no pool here has any of. */
export type EmptyOperationRow = AccessRow & {
  /** What Cognito answers where there is none. */
  readonly createOutput: (request: EmptyOperationRequest) => Readonly<Record<string, unknown>>;
};

const READ = { access: 'admin', scope: 'users:read' } as const;

/**
 * Operations of the Cognito API that read what belongs to AWS itself. No pool here has any of it, so they find nothing, as in a pool of
 * Cognito that was never given one: tools that read back what they set up go on. A pool that does not exist is refused.
 */
export const EMPTY_OPERATIONS = {
  DescribeRiskConfiguration: { ...READ, createOutput: (request) => ({ RiskConfiguration: pickNames(request) }) },
  GetLogDeliveryConfiguration: {
    ...READ,
    createOutput: ({ UserPoolId }) => ({ LogDeliveryConfiguration: { UserPoolId, LogConfigurations: [] } }),
  },
  GetUICustomization: { ...READ, createOutput: (request) => ({ UICustomization: pickNames(request) }) },
  ListIdentityProviders: { ...READ, createOutput: () => ({ Providers: [] }) },
  ListTerms: { ...READ, createOutput: () => ({ Terms: [] }) },
  ListUserImportJobs: { ...READ, createOutput: () => ({ UserImportJobs: [] }) },
  ListUserPoolReplicas: { ...READ, createOutput: () => ({ UserPoolReplicas: [] }) },
} as const satisfies Record<string, EmptyOperationRow>;

function pickNames({ UserPoolId, ClientId }: EmptyOperationRequest) {
  return { UserPoolId, ...(ClientId !== undefined && { ClientId }) };
}
