import Bowser from 'bowser';

/** The names of a browser and its system; null if the text does not reveal them. */
export interface BrowserNames {
  readonly browser: string | null;
  readonly system: string | null;
}

/** Names the browser and the system of a `User-Agent` header. */
export function describeBrowser(userAgent: string | undefined): BrowserNames {
  if (userAgent === undefined || userAgent === '') return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: browser.name || null, system: os.name || null };
}
