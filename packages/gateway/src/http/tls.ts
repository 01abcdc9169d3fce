/** What every TLS connection keeps to: TLS 1.2 with forward secrecy, or 1.3. The ciphers are those of Node. */
export const TLS_RULES = { minVersion: 'TLSv1.2' } as const;
