import { type CoseKey, readKeyAlgorithm } from './cose-keys.ts';
import { isCanonicalSignature } from './passkey-signatures.ts';

/** An authenticator's statement about itself and a new key (WebAuthn Level 3 §6.5). */
export interface Attestation {
  readonly format: unknown;
  readonly statement: ReadonlyMap<unknown, unknown>;
  /** The claimed kind of authenticator, a UUID. */
  readonly aaguid: string;
  readonly key: CoseKey;
}

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';

/**
 * The statements that a relying party receives if it requests none (WebAuthn Level 3 §5.1.3, conveyance `none`). They are no statement, or a
 * key's signature about itself from an authenticator that names no model. A client removes all others before it responds.
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
 * Returns what is wrong with a statement; undefined for an acceptable one. Attestation is never trusted here: creation options request
 * none, there are no trusted roots, and nothing depends on a model. Certificate chains and self-made claims about a model therefore prove
 * nothing, and are rejected rather than ignored. No certificate of an unknown caller is parsed, and no address in it is contacted for a
 * revocation list. Cognito accepts every format and evaluates none; honest clients send the same to both.
 */
export function findAttestationFault(
  attestation: Attestation,
): 'attestation_format' | 'attestation_statement' | undefined {
  const { format } = attestation;
  const isKnown = typeof format === 'string' && Object.hasOwn(ATTESTATION_CHECKS, format);
  if (!isKnown) return 'attestation_format';
  return ATTESTATION_CHECKS[format]?.(attestation) === true ? undefined : 'attestation_statement';
}
