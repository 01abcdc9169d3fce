import type { CallContext } from './call-context.ts';
import type { Operations } from './shapes.ts';

/** App client settings that Cognito does not have. An absent member has its default. */
export interface ClientExtensions {
  /** Identifiers of resource servers that the client operates. It may introspect tokens that were issued for them. */
  readonly resourceServers?: readonly string[];
  /**
   * The public keys (JWK set) with which the client authenticates at the OAuth endpoints by `private_key_jwt`. Its secrets are then not
   * accepted there.
   */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** The URL of the keys, instead of `jwks`. */
  readonly jwksUri?: string;
  /** The `typ` header of the client's access tokens (RFC 9068). Default: none, as in Cognito. */
  readonly accessTokenType?: 'at+jwt';
  /** Whether users can sign in to the client on devices without a browser (RFC 8628). Default: false. */
  readonly deviceGrant?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126). Default: false. */
  readonly requirePushedRequests?: boolean;
  /** The URL that receives logout tokens when a session ends (OpenID Connect Back-Channel Logout). Absent: none are sent. */
  readonly backchannelLogoutUri?: string;
  /** Whether the client's tokens end with the session that issued them. Default: they stay valid. */
  readonly endsGrantsAtSignOut?: boolean;
}

/** Identifies an app client. */
interface ClientIds {
  readonly UserPoolId: string;
  readonly ClientId: string;
}

/** The settings of `UpdateUserPoolClient`. */
export type ClientUpdate = Omit<Operations['UpdateUserPoolClient']['input'], keyof ClientIds>;

/**
 * Reads and changes the app client settings that Cognito does not have. `UpdateUserPoolClient` leaves them unchanged. To add a setting, add
 * a member to {@link ClientExtensions} and its validation rule to `pool/settings/client-extensions`.
 */
export interface ClientExtensionOperations {
  /**
   * Creates a client with these settings in one write.
   * @param input.Change the settings, as received; `null` is the default
   * @throws {ProviderError} `InvalidParameterException`: an unknown member or an invalid value; and what `CreateUserPoolClient` throws
   */
  create(
    input: Operations['CreateUserPoolClient']['input'] & { readonly Change: Readonly<Record<string, unknown>> },
    call: CallContext,
  ): Promise<Operations['CreateUserPoolClient']['output']>;
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
