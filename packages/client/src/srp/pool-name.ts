/** Returns the part of a pool id that is hashed with every password. */
export function toPoolName(userPoolId: string): string {
  return userPoolId.slice(userPoolId.indexOf('_') + 1);
}
