/** A key that is part of the configuration, but whose feature this version does not have. */
export interface UnavailableSetting {
  readonly env: string;
  /** The feature that it belongs to. */
  readonly feature: string;
}

/**
 * Setting one of these is a fault: to accept and ignore it would promise something that does not happen.
 * A key moves from here to its slice together with its feature.
 */
export const UNAVAILABLE: readonly UnavailableSetting[] = [{ env: 'POOLGATE_METRICS_PORT', feature: 'metrics' }];
