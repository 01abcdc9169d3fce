/** The brand names of providers whose type differs from the name that users know. */
const BRANDS: Readonly<Record<string, string>> = { SignInWithApple: 'Apple', LoginWithAmazon: 'Amazon' };

/** The name of an identity provider for users. */
export function formatProviderName({ name, type }: { readonly name: string; readonly type: string }): string {
  return BRANDS[type] ?? name;
}
