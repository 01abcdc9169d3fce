import type { Actor } from './audit-events.ts';

/** Information about a call in addition to its request. It contains no secrets. */
export interface CallContext {
  /** The id of the request that caused the call, for correlation. */
  readonly requestId: string;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
  /** The browser or program of the end client, as it names itself, shortened. Absent if unknown. */
  readonly userAgent?: string;
  /** The caller, if it is an administrator or the operator rather than the user that the request proves. */
  readonly actor?: Actor;
  /** The region of a signed request: that of the endpoint that its client meant. */
  readonly region?: string;
  /**
   * `routes`: the call comes through Poolgate's own routes, whose responses never reveal whether a username exists or a user is
   * unconfirmed. Absent for the Cognito-compatible API, which responds as Cognito does.
   */
  readonly entryPoint?: 'routes';
  /**
   * Whether the next challenge's secret block must contain the data for `readSecretBlock`, because the caller stores nothing about the
   * login.
   */
  readonly carriesSrpStart?: boolean;
  /** Whether the caller sent a valid session of a registration for the requested username. The service issued and checked it. */
  readonly hasRegistrationSession?: boolean;
}
