/** The part of a pool's id that is hashed with every password. */
export function toPoolName(userPoolId: string): string {
  return userPoolId.slice(userPoolId.indexOf('_') + 1);
}
