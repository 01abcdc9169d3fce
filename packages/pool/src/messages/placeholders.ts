/** Where the link of a sign-up stands in one of Cognito's templates, with the words that lead to it. */
const LINK_PLACE = /\{##([^{}]+)##\}/;

/** Whether a template has a place for a link. `{####}` is one for a code. */
export function hasLinkPlace(template: string): boolean {
  return LINK_PLACE.test(template);
}
