import type { OperationRow } from '@poolgate/provider';
import type { QuotaCategory } from '../options/quotas.ts';

/** A command of the SDK, as far as it is needed here. */
export interface SdkCommand {
  readonly schema?: unknown;
  readonly input: object;
}

/** What is being proven by a request, which decides what a refusal without further words means. */
export type RequestProof = 'login' | 'refresh' | 'token' | 'none';

/** What is known of one operation of Cognito: the row of the port's operation, and what only Amazon's service has. */
export interface CommandRow extends Pick<OperationRow, 'clientSecret' | 'verifiesCode' | 'missing'> {
  /** The SDK's command. */
  readonly Command: new (
    input: never,
  ) => SdkCommand;
  /** The quota that a call counts against. */
  readonly quota: QuotaCategory;
  /** Whether the request may be sent again although it may have been carried out. */
  readonly repeatable: (input: Readonly<Record<string, unknown>>) => boolean;
  readonly proof: (input: Readonly<Record<string, unknown>>) => RequestProof;
}
