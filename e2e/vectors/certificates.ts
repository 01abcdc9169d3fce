import { createHash } from 'node:crypto';
import { bits, der, integer, octets, oid, sequence, set, utf8 } from './der.ts';
import { CURVES, publicPoint, signDeterministically } from './ecdsa.ts';

/** What differs between attestation certificates. */
export interface CertificateParts {
  readonly serialNumber: Uint8Array;
  /** Uncompressed, on P-256. */
  readonly point: Uint8Array;
  /** Signs it, on P-256. */
  readonly issuerKey: Uint8Array;
  /** True if an extension names the subject instead. */
  readonly isNameless?: boolean;
  readonly extensions?: readonly Uint8Array[];
}

const OWNER = 'WebAuthn test vectors';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/** An extension of a certificate (RFC 5280 §4.2). */
export function extension(id: string, value: Uint8Array, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value));
}

/** A name (RFC 5280 §4.1.2.4): common name, organization, unit, country. */
function encodeName(unit: string): Buffer {
  const part = (id: string, value: Buffer): Buffer => set(sequence(oid(id), value));
  return sequence(
    part('2.5.4.3', utf8(OWNER)),
    part('2.5.4.10', utf8('W3C')),
    part('2.5.4.11', utf8(unit)),
    part('2.5.4.6', der(0x13, Buffer.from('AA'))),
  );
}

/** SHA-1 of a key (RFC 5280 §4.2.1.2), used as its name and not as protection. */
function keyIdentifier(point: Uint8Array): Buffer {
  return createHash('sha1').update(point).digest();
}

/** The certificate of an authenticator's attestation key, as in §16 of WebAuthn Level 3, in DER. */
export function attestationCertificate(parts: CertificateParts): Buffer {
  const { serialNumber, point, issuerKey, isNameless = false, extensions = [] } = parts;
  const issuerPoint = publicPoint(CURVES.ES256, issuerKey);
  const body = sequence(
    der(0xa0, integer(2n)),
    integer(BigInt(`0x${Buffer.from(serialNumber).toString('hex')}`)),
    sequence(oid(ECDSA_WITH_SHA256)),
    encodeName('Authenticator Attestation CA'),
    sequence(der(0x17, Buffer.from('240101000000Z')), der(0x18, Buffer.from('30240101000000Z'))),
    isNameless ? sequence() : encodeName('Authenticator Attestation'),
    sequence(sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')), bits(point)),
    der(
      0xa3,
      sequence(
        extension('2.5.29.19', sequence(), true),
        extension('2.5.29.15', der(0x03, Buffer.from([7, 0x80])), true),
        extension('2.5.29.14', octets(keyIdentifier(point))),
        extension('2.5.29.35', sequence(der(0x80, keyIdentifier(issuerPoint)))),
        ...extensions,
      ),
    ),
  );
  const signature = signDeterministically(CURVES.ES256, issuerKey, body);
  return sequence(body, sequence(oid(ECDSA_WITH_SHA256)), bits(signature));
}
