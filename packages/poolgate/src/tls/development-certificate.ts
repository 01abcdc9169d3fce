import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

/** Browsers reject server certificates with a longer lifetime (CA/Browser Forum; Apple's limit for private authorities is 825 days). */
const LIFE_DAYS = 397;
const DAY_MS = 86_400_000;

/** The clocks of other machines may be behind. */
const EARLIER_MS = DAY_MS;

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SERIAL_BYTES = 16;

/** A certificate for a host, its key, and the authority that clients have to trust; all as PEM. */
export interface DevelopmentCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

interface CertificateContent {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly serial: Uint8Array<ArrayBuffer>;
  readonly extensions: readonly Extension[];
  readonly nowMs: number;
}

function createName(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

const createExtension = (id: string, critical: boolean, value: object): Extension =>
  new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

/** Returns the name of a host in a certificate: a DNS name, or an address. */
function toGeneralName(host: string): GeneralName {
  return isIP(host) === 0 ? new GeneralName({ dNSName: host }) : new GeneralName({ iPAddress: host });
}

/** Allows only this host and excludes all other kinds of names, because unconstrained kinds would be allowed. */
function createNameConstraints(host: string): NameConstraints {
  const name = toGeneralName(host);
  const isAddress = isIP(host) !== 0;
  const nowhere = new GeneralName({ dNSName: 'invalid' });
  const permitted = isAddress ? [createAddressSubtree(host), nowhere] : [name];
  return new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(permitted.map((base) => new GeneralSubtree({ base }))),
    ...(isAddress ? {} : { excludedSubtrees: createAllAddressSubtrees() }),
  });
}

/** A single address: all its bits count. */
function createAddressSubtree(host: string): GeneralName {
  const text = isIP(host) === 4 ? `${host}/32` : `${host}/128`;
  return new GeneralName({ iPAddress: text });
}

function createAllAddressSubtrees(): GeneralSubtrees {
  const all = ['0.0.0.0/0', '::/0'].map((range) => new GeneralName({ iPAddress: range }));
  return new GeneralSubtrees(all.map((base) => new GeneralSubtree({ base })));
}

function toPem(der: ArrayBuffer): string {
  const lines = Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function issueCertificate(
  { subject, issuer, publicKey, serial, extensions, nowMs }: CertificateContent,
  signer: KeyObject,
): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serial.buffer,
    signature: algorithm,
    issuer: createName(issuer),
    subject: createName(subject),
    validity: new Validity({
      notBefore: new Date(nowMs - EARLIER_MS),
      notAfter: new Date(nowMs + LIFE_DAYS * DAY_MS - EARLIER_MS),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const signed = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const signatureValue = Uint8Array.from(sign('sha256', signed, signer)).buffer;
  return toPem(
    AsnConvert.serialize(new Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue })),
  );
}

/** Any digest of the key is valid (RFC 7093). */
function digestPublicKey(publicKey: KeyObject): Uint8Array {
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  return Uint8Array.from(digest.subarray(0, 20));
}

function createKeyIdentifier(publicKey: KeyObject): Extension {
  return createExtension(id_ce_subjectKeyIdentifier, false, new SubjectKeyIdentifier(digestPublicKey(publicKey)));
}

function createIssuerIdentifier(publicKey: KeyObject): Extension {
  const value = new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(digestPublicKey(publicKey)) });
  return createExtension(id_ce_authorityKeyIdentifier, false, value);
}

/**
 * Creates an authority that can certify only one host (RFC 5280 §4.2.1.10), and a certificate for that host. The authority's key is
 * discarded: trusting the authority means trusting this one certificate, and it can never issue another.
 * @param host a DNS name, or an address without brackets
 */
export function createDevelopmentCertificate(
  host: string,
  { nowMs, random }: { readonly nowMs: number; readonly random: (length: number) => Uint8Array<ArrayBuffer> },
): DevelopmentCertificate {
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = (): Uint8Array<ArrayBuffer> => {
    const bytes = Uint8Array.from(random(SERIAL_BYTES));
    // Positive, and without a leading zero byte.
    bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
    return bytes;
  };
  const issuer = `Poolgate development for ${host} (${Buffer.from(random(4)).toString('hex')})`;
  const authority = issueCertificate(
    {
      subject: issuer,
      issuer,
      publicKey: authorityKeys.publicKey,
      serial: serial(),
      nowMs,
      extensions: [
        createExtension(id_ce_basicConstraints, true, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
        createExtension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.keyCertSign)),
        createExtension(id_ce_nameConstraints, true, createNameConstraints(host)),
        createExtension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_serverAuth])),
        createKeyIdentifier(authorityKeys.publicKey),
      ],
    },
    authorityKeys.privateKey,
  );
  const certificate = issueCertificate(
    {
      // Not a host name, which would be checked against the constraints as a DNS name. The alternative names contain the host.
      subject: 'Poolgate development service',
      issuer,
      publicKey: keys.publicKey,
      serial: serial(),
      nowMs,
      extensions: [
        createExtension(id_ce_basicConstraints, true, new BasicConstraints({ cA: false })),
        createExtension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.digitalSignature)),
        createExtension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_serverAuth])),
        createExtension(id_ce_subjectAltName, false, new SubjectAlternativeName([toGeneralName(host)])),
        createKeyIdentifier(keys.publicKey),
        createIssuerIdentifier(authorityKeys.publicKey),
      ],
    },
    authorityKeys.privateKey,
  );
  return { certificate, authority, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
