/** The maximum size of a function's response in bytes. */
export const MAX_RESPONSE_BYTES = 262_144;

/** Parses bytes as JSON. `answer` is undefined if they are invalid or too many. */
export function parseJsonResponse(bytes: Uint8Array): { readonly answer: unknown } {
  if (bytes.byteLength > MAX_RESPONSE_BYTES) return { answer: undefined };
  try {
    return { answer: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { answer: undefined };
  }
}
