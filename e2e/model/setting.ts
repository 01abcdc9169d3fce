import type { StartOptions } from 'poolgate';
import type { TestService } from '../support/services/test-service.ts';
import type { ModelTriggers } from './model-triggers.ts';
import type { Rules } from './policy.ts';

/** What the model needs of a service, which may be assembled differently. */
export type ServiceUnderTest = Pick<
  TestService,
  'ask' | 'asAdmin' | 'call' | 'clock' | 'close' | 'get' | 'outbox' | 'poolName' | 'post' | 'userPoolId'
>;

/** A way to set up a service. */
export interface Setting {
  readonly name: string;
  readonly rules: Rules;
  /** Whether a login may start with a code. */
  readonly offersCodes: boolean;
  /** Undefined if the configuration cannot express it. Then the service is assembled from the same parts. */
  readonly options?: StartOptions;
}

/** A running service and what it promises. */
export interface ModelledService {
  readonly setting: Setting;
  readonly service: ServiceUnderTest;
  /** The functions that its pool calls, if any. */
  readonly triggers?: ModelTriggers;
}
