import type { User } from '@poolgate/client';
import { html, type TemplateResult } from 'lit';

const MAX_INITIALS = 2;

/** The initials of a name, or the first letter of an address or username. */
function toInitials(name: string): string {
  const words = name.split('@', 1)[0]?.match(/[\p{L}\p{N}]+/gu) ?? [];
  const chosen = name.includes('@') || words.length === 1 ? words.slice(0, 1) : [words[0] ?? '', words.at(-1) ?? ''];
  const letters = chosen.flatMap((word) => [...word].slice(0, 1));
  return letters.slice(0, MAX_INITIALS).join('').toLocaleUpperCase();
}

/** The user's picture if it has the origin of this page. Another site would learn who looks at the account. */
function findPictureUrl({ picture }: User['attributes']): string | undefined {
  if (picture === undefined || !URL.canParse(picture, location.href)) return undefined;
  const { origin, href } = new URL(picture, location.href);
  return origin === location.origin && /^https?:/.test(href) ? href : undefined;
}

/** The picture of a user, or the initials. It repeats the name next to it, so screen readers skip it. */
export function renderAvatar({ attributes, email, username }: User): TemplateResult {
  const url = findPictureUrl(attributes);
  if (url !== undefined) return html`<img data-part="avatar" src=${url} alt="" width="48" height="48" />`;
  const name = attributes.name ?? attributes.given_name ?? email ?? username;
  return html`<span data-part="avatar" aria-hidden="true">${toInitials(name)}</span>`;
}
