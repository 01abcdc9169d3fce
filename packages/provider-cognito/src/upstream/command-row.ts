import type { OperationRow } from '@poolgate/provider';
import type { QuotaCategory } from '../options/quotas.ts';

/** The parts of an SDK command that are needed here. */
export interface SdkCommand {
  readonly schema?: unknown;
  readonly input: object;
}

/** What a request proves, which decides what an unspecific error means. */
export type RequestProof = 'login' | 'refresh' | 'token' | 'none';

/** The facts of a Cognito operation: the port's row, and those of Amazon's service. */
export interface CommandRow extends Pick<OperationRow, 'clientSecret' | 'verifiesCode' | 'missing'> {
  /** The SDK's command. */
  readonly Command: new (
    input: never,
  ) => SdkCommand;
  /** The quota of the call. */
  readonly quota: QuotaCategory;
  /** Whether the request may be repeated although it may have succeeded. */
  readonly repeatable: (input: Readonly<Record<string, unknown>>) => boolean;
  readonly proof: (input: Readonly<Record<string, unknown>>) => RequestProof;
}
