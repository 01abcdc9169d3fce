const PARAMETER = 'lang';
const KEY = 'poolgate-language';

/**
 * Returns the language from the address, or an earlier choice of the user; undefined without a choice. It is kept until the window is
 * closed.
 */
export function readChosenLanguage(): string | undefined {
  const asked = new URLSearchParams(location.search).get(PARAMETER);
  if (asked !== null) saveChosenLanguage(asked);
  return asked ?? readSavedLanguage() ?? undefined;
}

/** Stores a choice. */
export function saveChosenLanguage(tag: string): void {
  try {
    sessionStorage.setItem(KEY, tag);
  } catch {
    // A browser without storage shows the language of its preferences.
  }
}

function readSavedLanguage(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
