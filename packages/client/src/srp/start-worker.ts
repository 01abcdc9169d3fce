/** The name of the policy that trusts the worker's URL, for `trusted-types` in a page's CSP. */
const POLICY = 'poolgate-client';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The worker's URL: next to this module, unless a bundler has moved one of them. */
function getDefaultWorkerUrl(): string {
  return new URL('./srp-worker.js', import.meta.url).href;
}

/**
 * Returns a function that starts an SRP worker; undefined if workers are unavailable.
 * @param url the application's own URL of the worker
 */
export function createWorkerStarter(url: string | undefined): (() => Worker) | undefined {
  if (typeof Worker === 'undefined') return undefined;
  return () => new Worker(toTrustedUrl(url ?? getDefaultWorkerUrl()), { type: 'module', name: POLICY });
}

/** A page that requires trusted types accepts a URL only from a policy. */
function toTrustedUrl(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? url : getTrustPolicy(trustedTypes).createScriptURL(url);
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** A page can create a policy name only once. */
function getTrustPolicy(trustedTypes: TrustedTypes): ReturnType<TrustedTypes['createPolicy']> {
  policy ??= trustedTypes.createPolicy(POLICY, { createScriptURL: (url) => url });
  return policy;
}
