/**
 * Sign-in with other identity providers: providers' accounts and the users that they sign in. The protocol with a provider is a port.
 * An account is found by provider and subject only, never by username or email.
 */
import { type FederatedLogin, type Federation, OAuthError, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import { readSubjectClaim } from '../identity/federated-identities.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { StorePort } from '../kernel/ports.ts';
import { IDENTITY_PROVIDER_TYPES } from '../settings/identity-provider-types.ts';
import { decryptProviderSecret, readProviderIssuer } from '../settings/identity-providers.ts';
import { type PoolAndClient, requireClientOfPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { FederationType } from '../store/pool-and-client-settings.ts';
import type { FederatedIdentityRecord, IdentityProviderRecord, LoginRecord, UserRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import type { LoginAuthentication } from '../tokens/authentication-methods.ts';
import { createLogin, signTokens } from '../tokens/login-tokens.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import { requestTokenChanges } from '../tokens/token-changes.ts';
import type { TokenPorts } from '../tokens/token-ports.ts';
import { findIdentity, type MappedAccount, noLongerLinkedError, updateFederatedUser } from './federated-user.ts';
import {
  admitFirstSignIn,
  invokeInboundFederation,
  invokePostAuthenticationTrigger,
  invokePreAuthenticationTrigger,
} from './federation-triggers.ts';
import { linkRuleMatch, type RuleLinkPorts, type RuleMatch } from './link-by-rule.ts';
import { checkMappedAttributes, mapClaims, pairVerifiedFlags } from './mapped-attributes.ts';
import { describeProviderSignIn } from './provider-authentication.ts';
import {
  IdentityProviderError,
  type IdentityProviderPort,
  type ProviderAccount,
  type SignInProtection,
} from './provider-protocol.ts';
import { consumeSignInState, decryptSignInState, type SignInState } from './sign-in-state.ts';

/** The dependencies of finishing a sign-in. */
export type FederationPorts = TokenPorts & SettingsPorts & StorePort & IdentityProviderPort & RuleLinkPorts;

type FinishInput = Parameters<Federation['finish']>[0];

/** A provider's response, as the browser delivers it. */
export type ProviderAnswer = Pick<FinishInput, 'UserPoolId' | 'Parameters' | 'Cookie' | 'RedirectUri'>;

/** An account that a provider has authenticated. */
export interface ProvenAccount {
  readonly application: PoolAndClient;
  readonly provider: IdentityProviderRecord;
  readonly signIn: SignInState;
  readonly account: ProviderAccount;
}

/**
 * Finishes a sign-in when the browser returns from the provider.
 * @returns undefined if the sign-in is unknown, has expired or was finished
 * @throws {OAuthError} in Cognito's words where they are known
 */
export async function finishFederatedSignIn(
  ports: FederationPorts,
  input: FinishInput,
): Promise<FederatedLogin | undefined> {
  const proven = await proveAccount(ports, input, 'sign-in');
  return proven && translateRefusals(signInAccount(ports, { input, ...proven }));
}

/**
 * Exchanges a provider's response for the account that signed in there. The write that consumes the state comes before the request to the
 * provider, so a code is redeemed only once.
 * @param purpose why the browser was sent to the provider. A response for the other purpose is unknown.
 * @returns undefined if the sign-in is unknown, has expired or was finished
 * @throws {OAuthError}
 */
export async function proveAccount(
  ports: FederationPorts,
  input: ProviderAnswer,
  purpose: 'sign-in' | 'link',
): Promise<ProvenAccount | undefined> {
  const { Parameters: parameters } = input;
  const answer = { state: parameters.state ?? '', cookie: input.Cookie };
  const signIn = decryptSignInState(ports, input.UserPoolId, answer);
  const isLink = signIn?.return.SignedInUser?.Purpose === 'link';
  if (signIn === undefined || isLink !== (purpose === 'link')) return undefined;
  if (!(await consumeSignInState(ports, signIn))) return undefined;
  const application = await requireClientOfPool(ports, input.UserPoolId, signIn.return.ClientId);
  const provider = await requireOfferedProvider(ports, application, signIn);
  if (parameters.error !== undefined) throw toProviderRefusal(parameters.error);
  const account = await redeemCode(ports, provider, signIn, input);
  return { application, provider, signIn, account };
}

/** The provider may have been deleted, changed, or taken from the client since the sign-in began. */
async function requireOfferedProvider(
  ports: FederationPorts,
  { pool, client }: PoolAndClient,
  { providerName, issuer }: SignInState,
): Promise<IdentityProviderRecord> {
  const provider = await ports.store.identityProviders.byName(pool.id, providerName);
  if (provider === undefined || !offersProvider(client, providerName) || readProviderIssuer(provider) !== issuer) {
    throw providerNotOfferedError();
  }
  return provider;
}

function offersProvider({ settings }: PoolAndClient['client'], name: string): boolean {
  return settings.kept?.SupportedIdentityProviders?.includes(name) ?? false;
}

function providerNotOfferedError(): OAuthError {
  return new OAuthError('invalid_request', 'The identity provider is no longer available for this application.');
}

function toProviderRefusal(error: string): OAuthError {
  if (error === 'access_denied') return new OAuthError('access_denied', 'The user did not sign in at the provider.');
  return new OAuthError('server_error', 'The identity provider refused the sign-in.');
}

async function redeemCode(
  ports: FederationPorts,
  provider: IdentityProviderRecord,
  signIn: SignInState,
  { Parameters: parameters, RedirectUri: redirectUri }: ProviderAnswer,
): Promise<ProviderAccount> {
  const { identityProviderProtocol: protocol } = ports;
  if (protocol === undefined) throw providerNotOfferedError();
  const { type, details, attributeMapping } = provider.settings;
  const protection: SignInProtection = { ...signIn, redirectUri };
  const wantedClaims = Object.values(attributeMapping);
  const federated = { type, details, secret: decryptProviderSecret(ports, provider) };
  try {
    const answer = await protocol.redeemCode(federated, protection, { parameters, wantedClaims });
    const account = { ...answer, authTimeSeconds: toWholeSeconds(answer.authTimeSeconds) };
    requireRecentSignIn(type, signIn, account);
    return account;
  } catch (cause) {
    if (!(cause instanceof IdentityProviderError)) throw cause;
    await recordFailure(ports, provider, cause.reason);
    throw new OAuthError('server_error', describeFailure(cause), { cause });
  }
}

/** A time that is no number of seconds counts as unknown. */
function toWholeSeconds(seconds: number | undefined): number | undefined {
  const whole = Math.floor(seconds ?? Number.NaN);
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}

const SECONDS_OF_SKEW = 5;

/**
 * If the user had to sign in again, checks that this happened after the sign-in began. Otherwise, someone who prepared the browser could connect
 * an account that is not the user's.
 * @throws {OAuthError} `login_required`: an application, a step-up or a link requires it, and the provider does not report when the user signed in
 */
function requireRecentSignIn(type: FederationType, signIn: SignInState, { authTimeSeconds }: ProviderAccount): void {
  const { mustLogIn, startedAtMs } = signIn;
  if (!mustLogIn) return;
  if (authTimeSeconds === undefined) {
    const { Handle, SignedInUser } = signIn.return;
    if (Handle === undefined && SignedInUser === undefined) return;
    if (SignedInUser?.Purpose === 'link' && IDENTITY_PROVIDER_TYPES[type].hasAccountChooser) return;
    throw new OAuthError('login_required', 'The identity provider does not prove that the user signed in again.');
  }
  if (authTimeSeconds >= Math.floor(startedAtMs / 1000) - SECONDS_OF_SKEW) return;
  throw new IdentityProviderError('invalid_response', 'The provider did not ask the user to sign in again.');
}

const FAILURES: Readonly<Record<IdentityProviderError['reason'], string>> = {
  unreachable: 'The identity provider could not be reached.',
  refused: 'The identity provider refused the sign-in.',
  invalid_response: 'The answer of the identity provider is not valid.',
};

function describeFailure({ reason }: IdentityProviderError): string {
  return FAILURES[reason];
}

function recordFailure(
  ports: FederationPorts,
  { poolId, name }: IdentityProviderRecord,
  reason: string,
): Promise<void> {
  const details = { challenge: 'IDENTITY_PROVIDER', identity_provider: name, reason };
  const failed = { type: 'login.failed', outcome: 'failure', pool: { id: poolId }, details } as const;
  return ports.store.write((transaction) => recordEvent(ports, transaction, failed));
}

interface AccountSignIn extends ProvenAccount {
  readonly input: FinishInput;
}

async function signInAccount(ports: FederationPorts, asked: AccountSignIn): Promise<FederatedLogin> {
  const { input, application, provider, signIn, account } = asked;
  const { pool } = application;
  const subject = readSubject(provider, account);
  const claims = await invokeInboundFederation(ports, application, provider, { subject, account });
  const mapped = pairVerifiedFlags(mapClaims(pool, provider.settings, claims));
  checkMappedAttributes(application, mapped);
  const mappedAccount: MappedAccount = { pool, provider, subject, mapped };
  const { SignedInUser } = signIn.return;
  if (SignedInUser !== undefined) await requireAccountOf(ports, mappedAccount, SignedInUser.Sub);
  const first = await admitFirstSignIn(ports, application, mappedAccount, claims);
  const owner = first?.kind === 'matched' ? first.match : await findIdentity(ports.store, mappedAccount);
  if (owner === undefined) throw new OAuthError('invalid_request', 'Invalid ProviderName/Username combination');
  const isFirst = first?.kind === 'created';
  if (!isFirst) await invokePreAuthenticationTrigger(ports, application, owner.username);
  const session = await requireClientOfPool(ports, pool.id, input.ClientId);
  const authTimeSeconds = readAuthTime(ports, signIn, account, input.UnknownAgeSeconds);
  const authentication = describeProviderSignIn(provider.settings, account);
  const proven = { session, application, authTimeSeconds, authentication };
  const opened = await openLogin(ports, proven, mappedAccount, owner);
  if ('rule' in owner) await deliverAfterCommit(ports);
  const Tokens = await createTokens(ports, { session, application, isFirst }, opened);
  return { Tokens, ProviderName: provider.name, IsAuthTimeKnown: account.authTimeSeconds !== undefined };
}

/**
 * A step-up requires an account that is connected to the signed-in user. Any other account creates no user, link or login.
 * @throws {OAuthError} `invalid_request`: the account is not connected to this user
 */
async function requireAccountOf({ store }: StorePort, account: MappedAccount, sub: string): Promise<void> {
  const identity = await findIdentity(store, account);
  const user = identity && (await store.users.byUsername(identity.poolId, identity.username));
  if (user?.sub !== sub)
    throw new OAuthError('invalid_request', 'The account belongs to a different user than the one who is signed in.');
}

interface NewLogin {
  readonly session: PoolAndClient;
  readonly application: PoolAndClient;
  readonly authTimeSeconds: number;
  readonly authentication: LoginAuthentication;
}

/** Opens the login if the account still signs the user in. */
async function openLogin(
  ports: FederationPorts,
  { session, application: { pool, client }, authTimeSeconds, authentication }: NewLogin,
  account: MappedAccount,
  owner: FederatedIdentityRecord | RuleMatch,
): Promise<{ readonly user: UserRecord; readonly login: LoginRecord }> {
  const { name } = account.provider;
  try {
    return await ports.store.write(async (transaction) => {
      const identity = 'rule' in owner ? await linkRuleMatch(ports, transaction, account, owner) : owner;
      const user = await updateFederatedUser(ports, transaction, account, identity);
      const current = await transaction.clients.byId(client.id);
      if (current === undefined || !offersProvider(current, name)) throw providerNotOfferedError();
      const from = { deviceKey: null, authTimeSeconds, ...authentication };
      const login = await createLogin(ports, transaction, { ...session, user }, from);
      const details = { challenge: 'IDENTITY_PROVIDER', proofs: 'fed', login: login.id, identity_provider: name };
      const about = { pool, user, clientId: client.id, details } as const;
      await recordEvent(ports, transaction, { type: 'login.succeeded', ...about });
      return { user, login };
    });
  } catch (cause) {
    // The account got another link at the same time.
    throw isConflictError(cause) ? noLongerLinkedError(cause) : cause;
  }
}

/**
 * The provider's own id of an account.
 * @throws {OAuthError} `server_error`: the provider returned no valid id
 */
export function readSubject(provider: IdentityProviderRecord, { claims }: ProviderAccount): string {
  const value = claims[readSubjectClaim(provider)];
  // Larger numbers are rounded, so two accounts could have the same id.
  const subject = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject === 'string' && isValidSubject(subject)) return subject;
  throw new OAuthError('server_error', 'The identity provider did not return a valid id of the account.');
}

/** The maximum of OpenID Connect. */
const MAX_SUBJECT_LENGTH = 255;

function isValidSubject(subject: string): boolean {
  return subject !== '' && subject.length <= MAX_SUBJECT_LENGTH && subject.isWellFormed() && !/\p{Cc}/u.test(subject);
}

/**
 * If the provider does not report when the user signed in, the sign-in never counts as recent. A required sign-in counts from when it was requested, even
 * if the clocks differ.
 */
function readAuthTime(
  { clock }: FederationPorts,
  { mustLogIn, startedAtMs }: SignInState,
  { authTimeSeconds }: ProviderAccount,
  unknownAgeSeconds: number,
): number {
  const nowSeconds = Math.floor(clock.now() / 1000);
  if (authTimeSeconds === undefined) return nowSeconds - unknownAgeSeconds;
  const earliest = mustLogIn ? Math.floor(startedAtMs / 1000) : 0;
  return Math.min(nowSeconds, Math.max(earliest, authTimeSeconds));
}

interface TokenRecipients {
  /** The client of the browser session. */
  readonly session: PoolAndClient;
  readonly application: PoolAndClient;
  readonly isFirst: boolean;
}

async function createTokens(
  ports: FederationPorts,
  { session, application, isFirst }: TokenRecipients,
  { user, login }: { readonly user: UserRecord; readonly login: LoginRecord },
): Promise<FederatedLogin['Tokens']> {
  try {
    if (!isFirst) await invokePostAuthenticationTrigger(ports, application, user);
    const changes = await requestTokenChanges(ports, { ...session, user }, { source: 'TokenGeneration_HostedAuth' });
    return await signTokens(ports, { ...session, user, login, changes });
  } catch (cause) {
    // A login whose tokens cannot be issued must not stay open.
    await ports.store.write((transaction) => revokeLogin(ports, transaction, session.pool, login));
    throw cause;
  }
}

/** Translates errors of the pool into errors for the application. */
async function translateRefusals<Result>(signingIn: Promise<Result>): Promise<Result> {
  try {
    return await signingIn;
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    throw new OAuthError('invalid_request', toErrorDescription(cause.message), { cause });
  }
}

/** RFC 6749 §4.1.2.1: ASCII, without double quotes and backslashes. */
function toErrorDescription(message: string): string {
  return message
    .trim()
    .replace(/["\\]/g, "'")
    .replace(/[^ -~]/g, ' ');
}
