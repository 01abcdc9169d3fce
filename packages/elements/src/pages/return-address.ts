import type { Links } from '../elements/links.ts';

const PARAMETER = 'return_to';

/**
 * The address to return to after the sign-in. The service decides whether it is allowed. The chosen language is included, so that the
 * service renders the next page in it.
 */
export class ReturnAddress {
  private readonly returnTo: string | null;
  private readonly prefix: string;
  private readonly language: string | undefined;

  constructor(prefix: string, language: string | undefined) {
    this.language = language;
    this.returnTo = new URLSearchParams(location.search).get(PARAMETER);
    this.prefix = prefix;
  }

  /** Whether there is an address. */
  get isPresent(): boolean {
    return this.returnTo !== null;
  }

  /** The sign-in page, for a page that needs the address too. */
  toSignInUrl(page: string, { signIn }: Links): string {
    const known = this.returnTo === null ? page : `${page}?${new URLSearchParams({ [PARAMETER]: this.returnTo })}`;
    return signIn + this.query(known);
  }

  /** Adds the address to the links to the other forms. */
  addTo(links: Links): Links {
    const query = this.query(this.returnTo);
    return {
      ...links,
      signIn: links.signIn + query,
      signUp: links.signUp + query,
      forgotPassword: links.forgotPassword + query,
    };
  }

  private query(asked: string | null): string {
    const { language } = this;
    const query = new URLSearchParams({
      ...(asked !== null && { [PARAMETER]: asked }),
      ...(language !== undefined && { lang: language }),
    });
    return query.size === 0 ? '' : `?${query}`;
  }

  /** Leaves the page: back, or to the account. */
  async leave(): Promise<void> {
    location.replace((await this.findAllowedUrl()) ?? `${this.prefix}/account`);
  }

  /** The absolute URL, if there is one and the service allows it. */
  async findAllowedUrl(): Promise<string | null> {
    if (this.returnTo === null) return null;
    try {
      const query = new URLSearchParams({ [PARAMETER]: this.returnTo });
      const answer = await fetch(`${this.prefix}/session?${query}`, { credentials: 'same-origin' });
      const { return_to: url } = (await answer.json()) as { readonly return_to: string | null };
      return url;
    } catch {
      return null;
    }
  }
}
