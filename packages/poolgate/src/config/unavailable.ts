/** A key that is part of the configuration, but whose feature this version does not have. */
export interface UnavailableSetting {
  readonly env: string;
  /** The feature that it belongs to. */
  readonly feature: string;
}

const COGNITO = 'Amazon Cognito as the provider';

/**
 * Setting one of these is a fault: to accept and ignore it would promise something that does not happen.
 * A key moves from here to its slice together with its feature.
 */
export const UNAVAILABLE: readonly UnavailableSetting[] = [
  { env: 'IDP_CLIENT_SECRET', feature: 'app clients with a secret behind the routes' },
  { env: 'IDP_ENDPOINT', feature: COGNITO },
  { env: 'IDP_JWKS_URL', feature: COGNITO },
  { env: 'POOLGATE_WEB_PREFIX', feature: 'web pages and sessions' },
  { env: 'POOLGATE_METRICS_PORT', feature: 'metrics' },
];
