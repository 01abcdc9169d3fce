/** The first Node version that the published package supports: from this version its SQLite needs no flag. */
export const OLDEST_NODE = '22.13';

/** Describes the problem with a Node version in a line for people; undefined if it is supported. */
export function findNodeVersionFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `poolgate: needs Node ${OLDEST_NODE} or newer, and this is ${version}`;
}
