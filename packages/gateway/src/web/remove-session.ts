import type { GatewayRuntime } from '../runtime/runtime.ts';

/** Removes a session, and what this process has decrypted of it: the tokens of a session that has ended stay in no memory. */
export async function removeSession(
  { records, sessionContents }: Pick<GatewayRuntime, 'records' | 'sessionContents'>,
  idDigestHex: string,
): Promise<void> {
  await records.webSessions.end(idDigestHex);
  sessionContents.delete(idDigestHex);
}
