/** The most that a function may answer. */
export const MAX_RESPONSE_BYTES = 262_144;

/** What bytes say as JSON; `answer` is undefined where they are none, or too many. */
export function parseJsonResponse(bytes: Uint8Array): { readonly answer: unknown } {
  if (bytes.byteLength > MAX_RESPONSE_BYTES) return { answer: undefined };
  try {
    return { answer: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { answer: undefined };
  }
}
