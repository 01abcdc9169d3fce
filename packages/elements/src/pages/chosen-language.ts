const PARAMETER = 'lang';
const KEY = 'poolgate-language';

/** The language that the address or, before, the user chose; undefined where nobody did. It is kept until the window is closed. */
export function chosenLanguage(): string | undefined {
  const asked = new URLSearchParams(location.search).get(PARAMETER);
  if (asked !== null) chooseLanguage(asked);
  return asked ?? readKept() ?? undefined;
}

/** Keeps a choice. */
export function chooseLanguage(tag: string): void {
  try {
    sessionStorage.setItem(KEY, tag);
  } catch {
    // A browser that keeps nothing shows the language that it asks for itself.
  }
}

function readKept(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
