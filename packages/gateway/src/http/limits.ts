/** How much data and time the server grants to one client. */
export const LIMITS = {
  bodyBytes: 64 * 1024,
  /** For requests with images, which only administrators send. Amazon's limit is 2 MB. */
  imageBodyBytes: 2 * 1024 * 1024,
  /** Method, path and all header fields. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  /** For receiving the whole request. */
  requestMs: 15_000,
  /** From the headers to the response. It is later than the limit for receiving, whose violation is the client's fault. */
  responseMs: 20_000,
  /** From the headers until the client has read the last byte. */
  readMs: 60_000,
  keepAliveMs: 65_000,
  /**
   * How many connections may wait to be accepted while the event loop is busy; the system may allow fewer. Node's default of 511 is too low
   * for a burst.
   */
  backlog: 4096,
  /** How often slow connections are checked. */
  connectionsCheckMs: 2_000,
  /** The maximum length of a path segment: a username of 128 code points, at most four bytes each, each byte written as `%xx`. */
  paramCharacters: 128 * 4 * 3,
} as const;
