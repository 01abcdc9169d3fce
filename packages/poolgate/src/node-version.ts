/** The first Node that the published package runs on: from there on its SQLite needs no flag. */
export const OLDEST_NODE = '22.13';

/** What is wrong with a version of Node, in a line for people; undefined where nothing is. */
export function findNodeVersionFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `poolgate: needs Node ${OLDEST_NODE} or newer, and this is ${version}`;
}
