import type { CallContext } from './call-context.ts';
import type { Operations } from './shapes.ts';

/** The settings of an app client that Cognito does not have. A member that is absent has its default. */
export interface ClientExtensions {
  /** Identifiers of resource servers that the client runs: it may introspect tokens that were issued for them. */
  readonly resourceServers?: readonly string[];
  /**
   * The public keys (JWK set) by which the client proves itself at the OAuth endpoints, with `private_key_jwt`. Its secrets do not count
   * there then.
   */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** Where they are, in place of `jwks`. */
  readonly jwksUri?: string;
  /** The `typ` in the header of the client's access tokens (RFC 9068); default: none, as in Cognito. */
  readonly accessTokenType?: 'at+jwt';
  /** Whether users sign in to the client at devices without a browser (RFC 8628); default: false. */
  readonly deviceGrant?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126); default: false. */
  readonly requirePushedRequests?: boolean;
  /** Where the client is told that a session has ended (OpenID Connect Back-Channel Logout); absent: nowhere. */
  readonly backchannelLogoutUri?: string;
  /** Whether the client's tokens end with the session that it got them through; default: they live on. */
  readonly endsGrantsAtSignOut?: boolean;
}

/** Names an app client. */
interface ClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/** The members of `UpdateUserPoolClient` without those that name the client. */
export type ClientUpdate = Omit<Operations['UpdateUserPoolClient']['input'], keyof ClientIds>;

/**
 * Reads and changes the settings of app clients that Cognito does not have. `UpdateUserPoolClient` leaves them as they are. To add one, give
 * {@link ClientExtensions} a member, and `pool/settings/client-extensions` the rule that its values are checked by.
 */
export interface ClientExtensionOperations {
  describe(input: ClientIds, call: CallContext): Promise<ClientExtensions>;
  /**
   * Changes the settings, and the client itself if `Client` is given, in one write: both change or neither does.
   * @param input.Change the members to change, as they came in a request; `null` restores the default
   * @param input.Client all settings that `UpdateUserPoolClient` takes
   * @throws {ProviderError} `InvalidParameterException`: an unknown member or an invalid value; and what `UpdateUserPoolClient` throws
   */
  update(
    input: ClientIds & { readonly Change: Readonly<Record<string, unknown>>; readonly Client?: ClientUpdate },
    call: CallContext,
  ): Promise<ClientExtensions>;
}
