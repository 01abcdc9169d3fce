/** The name of the policy under which the worker's address is trusted; for `trusted-types` of a page's CSP. */
const POLICY = 'poolgate-client';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Where the worker lies: beside this module, unless a bundler has moved one of them. */
function getDefaultWorkerUrl(): string {
  return new URL('./srp-worker.js', import.meta.url).href;
}

/**
 * What starts a worker for SRP; undefined where there are none.
 * @param url the integrator's own place of it
 */
export function createWorkerStarter(url: string | undefined): (() => Worker) | undefined {
  if (typeof Worker === 'undefined') return undefined;
  return () => new Worker(toTrustedUrl(url ?? getDefaultWorkerUrl()), { type: 'module', name: POLICY });
}

/** A page that asks for trusted types takes an address from a policy only. */
function toTrustedUrl(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? url : getTrustPolicy(trustedTypes).createScriptURL(url);
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** A name is good for one policy of a page. */
function getTrustPolicy(trustedTypes: TrustedTypes): ReturnType<TrustedTypes['createPolicy']> {
  policy ??= trustedTypes.createPolicy(POLICY, { createScriptURL: (url) => url });
  return policy;
}
