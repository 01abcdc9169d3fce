import { type CoseKey, readKeyAlgorithm } from './cose-keys.ts';
import { isCanonicalSignature } from './passkey-signatures.ts';

/** What an authenticator says about itself and a key that it made (WebAuthn Level 3 §6.5). */
export interface Attestation {
  readonly format: unknown;
  readonly statement: ReadonlyMap<unknown, unknown>;
  /** The kind of authenticator that it says it is, a UUID. */
  readonly aaguid: string;
  readonly key: CoseKey;
}

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';

/**
 * The statements that reach a relying party which asks for none (WebAuthn Level 3 §5.1.3, conveyance `none`): no statement,
 * or a key's signature about itself by an authenticator that names no model. A client erases all others before it answers.
 */
const ATTESTATION_CHECKS: Readonly<Record<string, (attestation: Attestation) => boolean>> = {
  none: ({ statement }) => statement.size === 0,
  packed({ statement, aaguid, key }) {
    const algorithm = readKeyAlgorithm(key);
    const signature = statement.get('sig');
    const isSigned = signature instanceof Uint8Array && isCanonicalSignature(algorithm, signature);
    return statement.size === 2 && isSigned && statement.get('alg') === algorithm && aaguid === NO_AAGUID;
  },
};

/**
 * What is wrong with a statement; undefined where it is one that can have come. Attestation is never trusted here: creation options ask for none, there
 * are no roots to trust, and no answer depends on a model. So a chain of certificates, whoever signed it and whatever was
 * appended to it, and a self-made claim to be some model have nothing to prove, and are refused rather than ignored:
 * no certificate of an unknown caller is parsed, and no address in it is asked for a revocation list. Cognito takes
 * every format and evaluates none; an honest client of either sends the same.
 */
export function findAttestationFault(
  attestation: Attestation,
): 'attestation_format' | 'attestation_statement' | undefined {
  const { format } = attestation;
  const isKnown = typeof format === 'string' && Object.hasOwn(ATTESTATION_CHECKS, format);
  if (!isKnown) return 'attestation_format';
  return ATTESTATION_CHECKS[format]?.(attestation) === true ? undefined : 'attestation_statement';
}
