import { computeSecretExponent } from './password-hash.ts';
import { signPasswordClaim, startClientWithPrivateValue } from './srp-client.ts';
import type { SrpEngine } from './srp-engine.ts';
import { computeGeneratorPower } from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import { answerSrpAInSteps } from './srp-server.ts';
import { inOneStep, runSteps, type Steps } from './steps.ts';
import { computeVerifier, matchesVerifier } from './verifier.ts';

/** The input of a computation, without the engine and group that compute it. */
type Without<Input> = Omit<Input, 'engine' | 'group'>;

const COMPUTATIONS = {
  answerSrpA: (engine: SrpEngine, input: Without<Parameters<typeof answerSrpAInSteps>[0]>) =>
    answerSrpAInSteps({ ...input, engine }),
  verifierFor: (engine: SrpEngine, input: Without<Parameters<typeof computeVerifier>[0]>) =>
    inOneStep(() => computeVerifier({ ...input, engine })),
  matchesVerifier: (engine: SrpEngine, input: Without<Parameters<typeof matchesVerifier>[0]>) =>
    inOneStep(() => matchesVerifier({ ...input, engine })),
  startClient: (engine: SrpEngine, input: Without<Parameters<typeof startClientWithPrivateValue>[0]>) =>
    inOneStep(() => startClientWithPrivateValue({ ...input, engine })),
  /** Computes g^x in a separate first step. The function itself has no steps, because the browser client does not need them. */
  *passwordClaim(engine: SrpEngine, input: Without<Parameters<typeof signPasswordClaim>[0]>): Generator<void, string> {
    const x = computeSecretExponent(engine, input.saltHex, input.passwordHash);
    const power = computeGeneratorPower(engine, COGNITO_GROUP, x);
    yield;
    const powMod: SrpEngine['powMod'] = (base, exponent, group) =>
      base === group.generator && exponent === x ? power : engine.powMod(base, exponent, group);
    return signPasswordClaim({ ...input, engine: { ...engine, powMod } });
  },
} as const;

type Table = typeof COMPUTATIONS;
type ComputationInput<Name extends keyof Table> = Parameters<Table[Name]>[1];
type ComputationOutcome<Name extends keyof Table> =
  ReturnType<Table[Name]> extends { next(): IteratorResult<void, infer Outcome> } ? Outcome : never;

/**
 * The expensive computations of the protocol in Cognito's group, each taking milliseconds. `answerSrpA` is the server's half of an exchange
 * for a private value from `drawPrivateValue`; `verifierFor` and `matchesVerifier` handle passwords; `startClient` and `passwordClaim` are
 * the client's two steps. Inputs and outputs are plain data, so another thread can compute them and return a promise. Each throws, or
 * rejects with, the `SrpError` of the function with the same name.
 */
export type SrpComputations = {
  readonly [Name in keyof Table]: (
    input: ComputationInput<Name>,
  ) => ComputationOutcome<Name> | Promise<ComputationOutcome<Name>>;
};

/** The same computations on the current thread, with immediate results. */
export type SyncSrpComputations = {
  readonly [Name in keyof Table]: (input: ComputationInput<Name>) => ComputationOutcome<Name>;
};

/** The same computations for a thread that must serve others between two exponentiations. */
export type StepwiseSrpComputations = {
  readonly [Name in keyof Table]: (input: ComputationInput<Name>) => Steps<ComputationOutcome<Name>>;
};

/** Computes on the calling thread, in steps of one exponentiation. */
export function createStepwiseComputations(engine: SrpEngine): StepwiseSrpComputations {
  // The result type ensures that each row gets the input of the same name.
  return mapComputations((compute) => (input) => compute(engine, input)) as StepwiseSrpComputations;
}

/** Computes on the calling thread. */
export function createSyncComputations(engine: SrpEngine): SyncSrpComputations {
  return mapComputations((compute) => (input) => runSteps(compute(engine, input))) as SyncSrpComputations;
}

type Compute = (engine: SrpEngine, input: never) => Steps<unknown>;

function mapComputations(bind: (compute: Compute) => (input: never) => unknown): object {
  return Object.fromEntries(Object.entries(COMPUTATIONS).map(([name, compute]) => [name, bind(compute)]));
}
