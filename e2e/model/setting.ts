import type { StartOptions } from 'poolgate';
import type { TestService } from '../support/services/test-service.ts';
import type { ModelTriggers } from './model-triggers.ts';
import type { Rules } from './policy.ts';

/** What the model needs of a service; it may be one that was put together otherwise. */
export type ServiceUnderTest = Pick<
  TestService,
  'ask' | 'asAdmin' | 'call' | 'clock' | 'close' | 'get' | 'outbox' | 'poolName' | 'post' | 'userPoolId'
>;

/** A way to set a service up. */
export interface Setting {
  readonly name: string;
  readonly rules: Rules;
  /** Whether a login may begin with a code. */
  readonly offersCodes: boolean;
  /** Undefined where the configuration has no words for it; then the service is put together from the same parts. */
  readonly options?: StartOptions;
}

/** A running service and what it promises. */
export interface ModelledService {
  readonly setting: Setting;
  readonly service: ServiceUnderTest;
  /** The functions that its pool calls, where it calls any. */
  readonly triggers?: ModelTriggers;
}
