import { integerFromBytes, padInteger } from './integer.ts';
import type { SrpEngine } from './srp-engine.ts';
import { SrpError } from './srp-error.ts';
import type { SrpGroup } from './srp-group.ts';
import { runSteps } from './steps.ts';

/**
 * The equations of SRP-6a (RFC 5054 §2.5 and §2.6) on integers. They do not depend on the hash behind k, u and x, so the RFC's SHA-1
 * vectors test the same code that serves Cognito.
 */

/** A = g^a mod N. Also computes v = g^x mod N. */
export function computeGeneratorPower(engine: SrpEngine, group: SrpGroup, exponent: bigint): bigint {
  return engine.powMod(group.generator, exponent, group);
}

/** B = (k·v + g^b) mod N. */
export function computeServerPublic(
  engine: SrpEngine,
  group: SrpGroup,
  { b, k, v }: { b: bigint; k: bigint; v: bigint },
): bigint {
  return (k * v + computeGeneratorPower(engine, group, b)) % group.modulus;
}

interface ClientTerms {
  readonly a: bigint;
  readonly B: bigint;
  readonly k: bigint;
  readonly u: bigint;
  readonly x: bigint;
}

/** S = (B - k·g^x)^(a + u·x) mod N. */
export function computeClientSecret(engine: SrpEngine, group: SrpGroup, { a, B, k, u, x }: ClientTerms): bigint {
  const masked = (k * computeGeneratorPower(engine, group, x)) % group.modulus;
  return engine.powMod(B + group.modulus - masked, a + u * x, group);
}

interface ServerTerms {
  readonly A: bigint;
  readonly b: bigint;
  readonly u: bigint;
  readonly v: bigint;
}

/** S = (A·v^u)^b mod N, one step for each of the two powers. */
export function* computeServerSecretInSteps(
  engine: SrpEngine,
  group: SrpGroup,
  { A, b, u, v }: ServerTerms,
): Generator<void, bigint> {
  const power = engine.powModPublic(v, u, group);
  yield;
  return engine.powMod(A * power, b, group);
}

/** S = (A·v^u)^b mod N. */
export function computeServerSecret(engine: SrpEngine, group: SrpGroup, terms: ServerTerms): bigint {
  return runSteps(computeServerSecretInSteps(engine, group, terms));
}

// Cached by group. The value follows from the group alone, because every engine computes SHA-256.
const multipliers = new WeakMap<SrpGroup, bigint>();

/** k = H(pad(N) | pad(g)) in Cognito's form, computed once for each group. */
export function computeMultiplier(engine: SrpEngine, group: SrpGroup): bigint {
  const found = multipliers.get(group);
  if (found !== undefined) return found;
  const k = integerFromBytes(engine.sha256(padInteger(group.modulus), padInteger(group.generator)));
  multipliers.set(group, k);
  return k;
}

/**
 * u = H(pad(A) | pad(B)) in Cognito's form.
 * @throws {SrpError} `scrambling_zero`: with u = 0, S would not depend on the password
 */
export function computeScramblingParameter(engine: SrpEngine, A: bigint, B: bigint): bigint {
  const u = integerFromBytes(engine.sha256(padInteger(A), padInteger(B)));
  if (u === 0n) throw new SrpError('scrambling_zero', 'u');
  return u;
}
