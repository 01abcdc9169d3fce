import type { RefusalReason } from '@poolgate/provider';
import type { QuotaCategory } from '../limits/quotas.ts';
import type { SecretPlace } from './secret-proof.ts';

/** A command of the SDK, as far as it is needed here. */
export interface SdkCommand {
  readonly schema?: unknown;
  readonly input: object;
}

/** What is being proven by a request, which decides what a refusal without further words means. */
export type ProvenBy = 'login' | 'refresh' | 'token' | 'none';

/** What is known of one operation of Cognito. */
export interface CommandRow {
  /** The SDK's command. */
  readonly Command: new (
    input: never,
  ) => SdkCommand;
  /** The quota that a call counts against. */
  readonly quota: QuotaCategory;
  /**
   * Whether the request may be sent again although it may have been carried out: never where it holds what can be used once
   * (a code, a proof, a session, a refresh token), sends a message, or counts as a guess.
   */
  readonly repeatable: (input: Readonly<Record<string, unknown>>) => boolean;
  /** Where the proof of the client's secret belongs. */
  readonly secret?: SecretPlace;
  readonly proof: (input: Readonly<Record<string, unknown>>) => ProvenBy;
  /** Whether it judges a code that was sent: then whatever tells of the user is a wrong code, since a wrong code of a user is that too. */
  readonly judgesCode?: true;
  /** What is not there when Cognito says that a resource is not. */
  readonly missing?: RefusalReason;
}
