import type { PoolStore } from '@poolgate/pool/store';
import type { IdentityProvider } from '@poolgate/provider';
import type { Settings } from '../config/settings.ts';

/** What it takes to know whether the issuer suits the clients of a pool. */
interface IssuerFacts {
  readonly provider: Pick<IdentityProvider, 'describe' | 'extensions'>;
  readonly settings: Pick<Settings, 'issuer'>;
  readonly userPoolId: string;
  /** Undefined where the system chooses the port. */
  readonly baseUrl: string | undefined;
}

/**
 * Says that clients with discovery need another issuer. Nothing where the issuer is the address at which they find it, where the
 * configuration names one, and for a pool of Cognito, which has its own.
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
  return `Tokens name the issuer ${issuer}. OpenID clients with discovery compare it with ${discovered} and refuse it. Set IDP_ISSUER=base-url for them (docs/reference/oauth.md#which-issuer).`;
}

/** Whether an app client of the pool lets users come back to an application. */
async function hasCallbackClients({ clients }: PoolStore, userPoolId: string): Promise<boolean> {
  const all = await clients.listOf(userPoolId);
  return all.some(({ settings: { kept = {} } }) => (kept.CallbackURLs ?? []).length > 0);
}

/** Explains the issuer where a client may need another one, and only there: others never compare issuers. */
export async function explainIssuerToOperator(facts: IssuerFacts, store: PoolStore): Promise<string | undefined> {
  const notice = await explainIssuer(facts);
  return notice !== undefined && (await hasCallbackClients(store, facts.userPoolId)) ? notice : undefined;
}
