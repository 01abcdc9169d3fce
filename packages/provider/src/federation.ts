import type { CallContext } from './call-context.ts';
import type { Operations } from './shapes.ts';

/** An identity provider that users of a pool can sign in with. */
export interface OfferedIdentityProvider {
  readonly Name: string;
  readonly Type: string;
}

/** Where the browser returns to after it signed in at a provider. */
export interface FederatedReturn {
  /** The app client whose users sign in. */
  readonly ClientId: string;
  /** The handle of an authorization request that waits; absent where no application asked. */
  readonly Handle?: string;
  /** Where the browser goes then, as a path of the service. */
  readonly ReturnTo: string;
  /** True if the application named the provider, false if the user chose it. */
  readonly IsNamedByClient: boolean;
  /** Set if the browser has a signed-in user, who connects an account or signs in again. */
  readonly SignedInUser?: SignedInBrowserUser;
}

/** The signed-in user to whom a sign-in at a provider must belong. */
export interface SignedInBrowserUser {
  readonly Purpose: 'link' | 'step_up';
  readonly Sub: string;
  /** The session, however often its id changes. */
  readonly Session: string;
}

/** An account at another identity provider with which a user can sign in. */
export interface ConnectedIdentity {
  /** Names the identity in requests, and reveals nothing about the account. */
  readonly Id: string;
  readonly ProviderName: string;
  readonly ProviderType: string;
  readonly ConnectedAt: number;
  /** True if the user was created from this account, which cannot be disconnected. */
  readonly IsPrimary: boolean;
}

/** How the attempt to connect an account ended. */
export type LinkOutcome = 'linked' | 'in_use' | 'too_many';

/** The first sign-in of an account is linked to the local user with the same verified address, if the claim is true. */
export interface ProviderLinkRule {
  readonly Attribute: 'email' | 'phone_number';
  readonly TrustedClaim: string;
}

/** The tokens of a user whom a provider signed in. */
export interface FederatedLogin {
  readonly Tokens: NonNullable<Operations['RespondToAuthChallenge']['output']['AuthenticationResult']>;
  readonly ProviderName: string;
  /** False if the provider does not report when the user signed in there. */
  readonly IsAuthTimeKnown: boolean;
}

/**
 * Sign-in with the other identity providers of a pool. Functions reject with `OAuthError` where the protocol knows the refusal.
 * Nothing is stored before a provider has answered: a browser carries the state of its sign-in, encrypted, in a cookie.
 */
export interface Federation {
  /** The providers that users of an app client can sign in with. */
  listProviders(
    input: { readonly UserPoolId: string; readonly ClientId: string },
    call: CallContext,
  ): Promise<{ readonly Providers: readonly OfferedIdentityProvider[]; readonly AdmitsLocalUsers: boolean }>;
  /**
   * Begins a sign-in at a provider.
   * @param input.RedirectUri the address of this service that the provider sends the browser back to
   * @param input.MustLogIn whether the provider must ask the user to sign in again
   * @returns where the browser is sent, and the cookie that it needs when it returns
   */
  start(
    input: {
      readonly UserPoolId: string;
      readonly ProviderName: string;
      readonly RedirectUri: string;
      readonly Return: FederatedReturn;
      readonly MustLogIn: boolean;
      readonly LoginHint?: string;
      /** The requested authentication levels. */
      readonly Levels?: readonly number[];
    },
    call: CallContext,
  ): Promise<{ readonly Location: string; readonly Cookie: string }>;
  /** Whether a `state` was issued here and has not expired. It tells nothing about the browser. */
  isIssuedState(input: { readonly UserPoolId: string; readonly State: string }, call: CallContext): Promise<boolean>;
  /** Where the browser of a cookie returns to; undefined for any cookie that does not belong to this state. */
  readReturn(
    input: { readonly UserPoolId: string; readonly State: string; readonly Cookie: string },
    call: CallContext,
  ): Promise<FederatedReturn | undefined>;
  /**
   * Finishes a sign-in: once for each state, within five minutes.
   * @param input.ClientId the app client that the tokens of the browser session are for
   * @param input.UnknownAgeSeconds the assumed age of a sign-in if the provider does not report when the user signed in
   * @returns undefined if the sign-in is unknown, has expired or was finished. The authorization request stays pending
   */
  finish(
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly Parameters: Readonly<Record<string, string>>;
      readonly Cookie: string;
      readonly RedirectUri: string;
      readonly UnknownAgeSeconds: number;
    },
    call: CallContext,
  ): Promise<FederatedLogin | undefined>;
  /**
   * Connects an account to the signed-in user who began it: once for each state, within five minutes.
   * @returns undefined if the attempt is unknown, has expired, was finished, or belongs to another user
   */
  link(
    input: {
      readonly UserPoolId: string;
      readonly AccessToken: string;
      readonly Parameters: Readonly<Record<string, string>>;
      readonly Cookie: string;
      readonly RedirectUri: string;
    },
    call: CallContext,
  ): Promise<LinkOutcome | undefined>;
  /** Lists the accounts with which a user can sign in, oldest first. */
  listIdentities(input: { readonly AccessToken: string }, call: CallContext): Promise<readonly ConnectedIdentity[]>;
  /**
   * Disconnects an account, and ends the user's other logins, because it may have opened any of them.
   * @returns whether the login of the access token has ended too
   * @throws {ProviderError} `ResourceNotFoundException`: the user has no such account; `InvalidParameterException`: the user could not sign in
   * without it
   */
  removeIdentity(
    input: { readonly AccessToken: string; readonly Id: string },
    call: CallContext,
  ): Promise<{ readonly OwnEnded: boolean }>;
  /**
   * Creates a provider with a rule that Cognito does not have.
   * @throws {ProviderError} as `CreateIdentityProvider`
   */
  createProvider(
    input: Operations['CreateIdentityProvider']['input'] & { readonly LinkRule: ProviderLinkRule },
    call: CallContext,
  ): Promise<Operations['CreateIdentityProvider']['output']>;
  /**
   * Changes a provider and its rule in one write. `UpdateIdentityProvider` keeps the rule.
   * @throws {ProviderError} as `UpdateIdentityProvider`
   */
  updateProvider(
    input: Operations['UpdateIdentityProvider']['input'] & { readonly LinkRule: ProviderLinkRule | null },
    call: CallContext,
  ): Promise<Operations['UpdateIdentityProvider']['output']>;
  /** Returns the rule of a provider. */
  findLinkRule(
    input: { readonly UserPoolId: string; readonly ProviderName: string },
    call: CallContext,
  ): Promise<ProviderLinkRule | undefined>;
}
