/**
 * The provider that `poolgate doctor` checks, and the checks that only one kind of provider has.
 */
import type { IdentityProvider } from '@poolgate/provider';
import type { SrpEngine } from '@poolgate/srp';
import type { Configuration } from '../../config/configuration.ts';
import type { System } from '../../process/system.ts';
import type { ProviderHooks, ServedPool } from '../../providers/backend.ts';
import type { Finding } from '../findings/finding.ts';

/** What is given to a check-up. */
export interface CheckUpInput extends System {
  readonly configuration: Configuration;
  readonly engine: SrpEngine;
  readonly hooks: ProviderHooks;
  /** Where a message is to be sent to; undefined: none is sent. */
  readonly sendTo: string | undefined;
}

/** The provider that is looked at, and what there is to look at with it alone. */
export interface CheckedProvider extends ServedPool {
  readonly provider: IdentityProvider;
  /** Where it is asked; undefined where it runs in this process. */
  readonly endpoint: string | undefined;
  /** Where its keys are fetched; undefined where it runs in this process. */
  readonly jwksUrl: string | undefined;
  /** Whether the settings of the pool go with the configuration. */
  checkSettings(): Promise<readonly Finding[]>;
  /** Whether the functions that pools name can be called. */
  checkTriggers(): Promise<readonly Finding[]>;
  /** Whether messages to users leave. */
  checkMessages(): Promise<readonly Finding[]>;
  /** Whether administrative calls are let through. */
  checkAdministration(): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

/** Opens what is looked at; a finding where there is nothing to look at. */
export type OpenCheckedProvider = (visit: CheckUpInput) => Promise<CheckedProvider | Finding>;
