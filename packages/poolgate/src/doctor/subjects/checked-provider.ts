/** The provider that `poolgate doctor` checks, and the checks that only one kind of provider has. */
import type { IdentityProvider } from '@poolgate/provider';
import type { SrpEngine } from '@poolgate/srp';
import type { Configuration } from '../../config/configuration.ts';
import type { System } from '../../process/system.ts';
import type { ProviderHooks, ServedPool } from '../../providers/backend.ts';
import type { Finding } from '../findings/finding.ts';

/** The input of a check-up. */
export interface CheckUpInput extends System {
  readonly configuration: Configuration;
  readonly engine: SrpEngine;
  readonly hooks: ProviderHooks;
  /** The recipient of a test message; undefined for none. */
  readonly sendTo: string | undefined;
}

/** The checked provider, and its specific checks. */
export interface CheckedProvider extends ServedPool {
  readonly provider: IdentityProvider;
  /** Its address; undefined if it runs in this process. */
  readonly endpoint: string | undefined;
  /** The address of its keys; undefined if it runs in this process. */
  readonly jwksUrl: string | undefined;
  /** Whether the pool's settings fit the configuration. */
  checkSettings(): Promise<readonly Finding[]>;
  /** Whether the functions in pools' settings can be called. */
  checkTriggers(): Promise<readonly Finding[]>;
  /** Whether users can sign in with the other identity providers of pools. */
  checkIdentityProviders(): Promise<readonly Finding[]>;
  /** Whether messages to users can be sent. */
  checkMessages(): Promise<readonly Finding[]>;
  /** Whether administrative calls are permitted. */
  checkAdministration(): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

/** Opens the provider to check; returns a finding if that is impossible. */
export type OpenCheckedProvider = (visit: CheckUpInput) => Promise<CheckedProvider | Finding>;
