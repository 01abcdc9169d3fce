import type { Actor } from './audit-events.ts';

/** What a provider is told about the call beside the request itself. It holds no secret. */
export interface CallContext {
  /** The id of the request that caused the call, for correlation. */
  readonly requestId: string;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
  /** Who asks, where that is not the user whom the request itself proves: an administrator, or the operator. */
  readonly actor?: Actor;
  /** The region that a signed request was made for: that of the endpoint that its client meant. */
  readonly region?: string;
  /**
   * `routes`: the call comes through Poolgate's own routes, where no answer tells whether a name is taken or a user unconfirmed.
   * Absent for the Cognito-compatible API, which answers as Cognito does.
   */
  readonly entryPoint?: 'routes';
  /**
   * Whether the secret block of a challenge that follows must carry what `readSecretBlock` reads from it, because the caller stores nothing
   * about the login.
   */
  readonly carriesSrpStart?: boolean;
  /** Whether the caller showed the session of a registration of the name in the request, which the service gave out and has checked. */
  readonly hasRegistrationSession?: boolean;
}
