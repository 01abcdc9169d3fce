import type { PoolStore } from '@poolgate/pool/store';
import type { IdentityProvider } from '@poolgate/provider';
import type { Settings } from '../config/settings.ts';

/** The facts that decide whether the issuer suits the clients of a pool. */
interface IssuerFacts {
  readonly provider: Pick<IdentityProvider, 'describe' | 'extensions'>;
  readonly settings: Pick<Settings, 'issuer'>;
  readonly userPoolId: string;
  /** Undefined if the system chooses the port. */
  readonly baseUrl: string | undefined;
}

/**
 * Explains that clients with discovery need another issuer. It logs nothing if clients find the issuer at its address, if the configuration
 * names an issuer, or if the pool is a Cognito pool, which has its own issuer.
 */
export async function explainIssuer({
  provider,
  settings,
  userPoolId,
  baseUrl,
}: IssuerFacts): Promise<string | undefined> {
  if (provider.extensions.oauth === undefined || settings.issuer !== undefined) return undefined;
  const issuer = (await provider.describe(userPoolId))?.issuer;
  const discovered = `${baseUrl ?? '<BASE_URL>'}/${userPoolId}`;
  if (issuer === undefined || issuer === discovered) return undefined;
  return `Tokens have the issuer ${issuer}. OpenID clients that use discovery expect ${discovered} and refuse it. Set IDP_ISSUER=base-url for them (docs/reference/issuer.md).`;
}

/** Whether an app client of the pool has a callback URL. */
async function hasCallbackClients({ clients }: PoolStore, userPoolId: string): Promise<boolean> {
  const all = await clients.listOf(userPoolId);
  return all.some(({ settings: { kept = {} } }) => (kept.CallbackURLs ?? []).length > 0);
}

/** Explains the issuer only if a client may need another one: other clients never compare issuers. */
export async function explainIssuerToOperator(facts: IssuerFacts, store: PoolStore): Promise<string | undefined> {
  const notice = await explainIssuer(facts);
  return notice !== undefined && (await hasCallbackClients(store, facts.userPoolId)) ? notice : undefined;
}
