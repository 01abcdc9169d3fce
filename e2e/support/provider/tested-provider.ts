/** The variable that says on which provider the suites over the routes run: `cognito`, or the embedded pool without it. */
export const PROVIDER_VARIABLE = 'POOLGATE_TEST_PROVIDER';

/** Whether the routes stand in front of Cognito's protocol, spoken by a second service with an embedded pool. */
export const ON_COGNITO = process.env[PROVIDER_VARIABLE] === 'cognito';

/** What a proof is refused with that was used up: Cognito says the same to every proof that it does not take. */
export const SPENT_PROOF_CODE = ON_COGNITO ? 'invalid_credentials' : 'invalid_session';

/** What a right code is refused with that is too old: Cognito says the same where no code was asked for, and so of a name that nobody has. */
export const EXPIRED_CODE_ERROR = ON_COGNITO ? 'code_mismatch' : 'code_expired';

/**
 * What the right password of a registration is refused with that comes with the registration's session. Cognito keeps no answer for names that were
 * taken, so that a service in front of it never says that a user is unconfirmed.
 */
export const UNCONFIRMED_ERROR: readonly [status: number, code: string] = ON_COGNITO
  ? [401, 'invalid_credentials']
  : [403, 'user_not_confirmed'];

/** The variable that has the suites over the routes ask two replicas on PostgreSQL by way of a load balancer: `2`. */
export const REPLICAS_VARIABLE = 'POOLGATE_TEST_REPLICAS';

/** The variable that names the program of HAProxy, where that is to be the load balancer. */
export const HAPROXY_VARIABLE = 'POOLGATE_TEST_HAPROXY';

/** Whether a service of a test is two, behind a load balancer. */
export const HAS_REPLICAS = process.env[REPLICAS_VARIABLE] === '2';

/** How many services a request of a test may come to. What each counts or remembers for itself, it does so many times. */
export const REPLICAS = HAS_REPLICAS ? 2 : 1;
