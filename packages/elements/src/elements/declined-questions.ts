const KEY = 'poolgate-not-now';
const REST_MS = 90 * 24 * 3_600_000;

/** A question that a sign-in asks when the user is signed in. */
export type Question = 'device' | 'passkey';

/** Whether the user has answered "Not now" in this browser within three months. */
export async function isDeclined(question: Question, username: string): Promise<boolean> {
  try {
    return Object.hasOwn(readDeclined(), await digest(question, username));
  } catch {
    return false;
  }
}

/** Remembers "Not now" in this browser. In a browser that keeps nothing, the next sign-in asks again. */
export async function saveDeclined(question: Question, username: string): Promise<void> {
  try {
    const declined = { ...readDeclined(), [await digest(question, username)]: Date.now() };
    localStorage.setItem(KEY, JSON.stringify(declined));
  } catch {
    // Only a later sign-in needs it.
  }
}

function readDeclined(): Readonly<Record<string, number>> {
  const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
  const entries = Object.entries(Object(saved) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => Number(entry[1]) > Date.now() - REST_MS),
  );
}

/** Several people may share a browser, so its storage contains digests instead of usernames. */
async function digest(question: Question, username: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${question} ${username}`));
  return [...new Uint8Array(bytes, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
