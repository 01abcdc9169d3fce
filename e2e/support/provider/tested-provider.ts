/** The variable that selects the provider of the suites over the routes: `cognito`, or the embedded pool without it. */
export const PROVIDER_VARIABLE = 'POOLGATE_TEST_PROVIDER';

/** Whether the routes are in front of Cognito's protocol, which a second service with an embedded pool serves. */
export const ON_COGNITO = process.env[PROVIDER_VARIABLE] === 'cognito';

/** The error for a used proof: Cognito returns the same for every proof that it rejects. */
export const SPENT_PROOF_CODE = ON_COGNITO ? 'invalid_credentials' : 'invalid_session';

/** The error for a correct but expired code: Cognito returns the same if no code was requested, and so for an unknown name. */
export const EXPIRED_CODE_ERROR = ON_COGNITO ? 'code_mismatch' : 'code_expired';

/**
 * The error for the correct password of a registration with the registration's session. Cognito has no error for taken names, so a service
 * in front of it never reports that a user is unconfirmed.
 */
export const UNCONFIRMED_ERROR: readonly [status: number, code: string] = ON_COGNITO
  ? [401, 'invalid_credentials']
  : [403, 'user_not_confirmed'];

/** The variable that runs the suites over the routes on two replicas on PostgreSQL behind a load balancer: `2`. */
export const REPLICAS_VARIABLE = 'POOLGATE_TEST_REPLICAS';

/** The variable with the path of HAProxy, if that is the load balancer. */
export const HAPROXY_VARIABLE = 'POOLGATE_TEST_HAPROXY';

/** Whether a test's service consists of two behind a load balancer. */
export const HAS_REPLICAS = process.env[REPLICAS_VARIABLE] === '2';

/** The number of services that a test's request may reach. Each counts and remembers separately. */
export const REPLICAS = HAS_REPLICAS ? 2 : 1;
