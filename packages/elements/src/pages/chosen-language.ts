const PARAMETER = 'lang';
const KEY = 'poolgate-language';

/** The language that the address or, before, the user chose; undefined where nobody did. It is kept until the window is closed. */
export function readChosenLanguage(): string | undefined {
  const asked = new URLSearchParams(location.search).get(PARAMETER);
  if (asked !== null) saveChosenLanguage(asked);
  return asked ?? readSavedLanguage() ?? undefined;
}

/** Keeps a choice. */
export function saveChosenLanguage(tag: string): void {
  try {
    sessionStorage.setItem(KEY, tag);
  } catch {
    // A browser that keeps nothing shows the language that it asks for itself.
  }
}

function readSavedLanguage(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
