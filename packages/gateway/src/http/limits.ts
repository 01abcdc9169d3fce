/** How much, and for how long, the server listens to one client. */
export const LIMITS = {
  bodyBytes: 64 * 1024,
  /** Method, path and all header fields. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  /** For the whole request to arrive. */
  requestMs: 15_000,
  /** From the headers to the answer; later than what is found too slow in arriving, which is the client's fault. */
  responseMs: 20_000,
  /** From the headers to the last byte that the client has taken. */
  readMs: 60_000,
  keepAliveMs: 65_000,
  /** How many connections may wait to be accepted while the event loop is at work; the system may allow fewer. Node's 511 are full in a burst. */
  backlog: 4096,
  /** How often slow connections are looked for. */
  connectionsCheckMs: 2_000,
  /** The longest part of a path: a user name of 128 code points, each at most four bytes, each byte written `%xx`. */
  paramCharacters: 128 * 4 * 3,
} as const;
