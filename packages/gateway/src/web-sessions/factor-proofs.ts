import { type ChallengeName, KEEP_ACCOUNT } from '@poolgate/provider';

/** A factor that a browser's user has proven. */
export interface FactorProof {
  /** The name of its challenge. */
  readonly factor: string;
  readonly atMs: number;
}

/** What an accepted answer to each challenge proves. Other challenges only choose, start or set up something. */
const FACTORS: Partial<Record<ChallengeName, string>> = {
  CUSTOM_CHALLENGE: 'CUSTOM_CHALLENGE',
  DEVICE_PASSWORD_VERIFIER: 'DEVICE',
  EMAIL_OTP: 'EMAIL_OTP',
  PASSWORD: 'PASSWORD',
  PASSWORD_VERIFIER: 'PASSWORD',
  SMS_MFA: 'SMS_MFA',
  SMS_OTP: 'SMS_OTP',
  SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA',
  WEB_AUTHN: 'WEB_AUTHN',
};

/** Returns the factor that an answer to a challenge proves; undefined if none, such as for the answer that keeps an account. */
export function findProvenFactor(challengeName: string, answer?: unknown): string | undefined {
  if (answer === KEEP_ACCOUNT) return undefined;
  const factors: Readonly<Record<string, string | undefined>> = FACTORS;
  const name = challengeName.toUpperCase();
  return Object.hasOwn(factors, name) ? factors[name] : undefined;
}

/** Merges proofs with later ones, keeping the latest of each factor. */
export function mergeProofs(earlier: readonly FactorProof[], later: readonly FactorProof[]): readonly FactorProof[] {
  const isNewer = ({ factor }: FactorProof): boolean => later.some((proof) => proof.factor === factor);
  return [...earlier.filter((proof) => !isNewer(proof)), ...later];
}
