import type { GatewayRuntime } from '../runtime/runtime.ts';

/** Deletes a session and its cached content, so that no memory keeps the tokens of an ended session. */
export async function removeSession(
  { records, sessionContents }: Pick<GatewayRuntime, 'records' | 'sessionContents'>,
  idDigestHex: string,
): Promise<void> {
  await records.webSessions.end(idDigestHex);
  sessionContents.delete(idDigestHex);
}
