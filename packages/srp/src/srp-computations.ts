import { signPasswordClaim, startClientWithPrivateValue } from './srp-client.ts';
import type { SrpEngine } from './srp-engine.ts';
import { answerSrpAWithPrivateValue } from './srp-server.ts';
import { computeVerifier, matchesVerifier } from './verifier.ts';

/** What a computation asks for, beside who computes it. */
type Without<Input> = Omit<Input, 'engine' | 'group'>;

const COMPUTATIONS = {
  answerSrpA: (engine: SrpEngine, input: Without<Parameters<typeof answerSrpAWithPrivateValue>[0]>) =>
    answerSrpAWithPrivateValue({ ...input, engine }),
  verifierFor: (engine: SrpEngine, input: Without<Parameters<typeof computeVerifier>[0]>) =>
    computeVerifier({ ...input, engine }),
  matchesVerifier: (engine: SrpEngine, input: Without<Parameters<typeof matchesVerifier>[0]>) =>
    matchesVerifier({ ...input, engine }),
  startClient: (engine: SrpEngine, input: Without<Parameters<typeof startClientWithPrivateValue>[0]>) =>
    startClientWithPrivateValue({ ...input, engine }),
  passwordClaim: (engine: SrpEngine, input: Without<Parameters<typeof signPasswordClaim>[0]>) =>
    signPasswordClaim({ ...input, engine }),
} as const;

type Table = typeof COMPUTATIONS;

/**
 * What takes milliseconds of the protocol, in Cognito's group: `answerSrpA` is the server's half of an exchange for a private value
 * from `drawPrivateValue`, `verifierFor` and `matchesVerifier` are about a password, `startClient` and `passwordClaim` are the client's
 * two steps. Plain data go in and come out, so that another thread can do it; then the outcome is a promise.
 * Each throws, or rejects with, the `SrpError` of the function that it is named after.
 */
export type SrpComputations = {
  readonly [Name in keyof Table]: (
    input: Parameters<Table[Name]>[1],
  ) => ReturnType<Table[Name]> | Promise<ReturnType<Table[Name]>>;
};

/** The same where nobody else computes: every outcome is there at once. */
export type SyncSrpComputations = {
  readonly [Name in keyof Table]: (input: Parameters<Table[Name]>[1]) => ReturnType<Table[Name]>;
};

/** Computes on the thread that asks. */
export function createSyncComputations(engine: SrpEngine): SyncSrpComputations {
  const bound = Object.entries(COMPUTATIONS).map(([name, compute]) => [
    name,
    // Each row is called with the input of its own name only: the type of the result says so.
    (input: never) => compute(engine, input),
  ]);
  return Object.fromEntries(bound) as SyncSrpComputations;
}
