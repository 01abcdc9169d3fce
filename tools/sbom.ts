/** The bill of materials of a package: all its runtime dependencies from the lock file, as CycloneDX. */

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  /** For a link: the folder of the package. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A `package-lock.json`, of which only the paths of its packages are read. */
export interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

interface ResolvedPackage {
  readonly name: string;
  readonly locked: Locked;
  /** Paths of its direct dependencies. */
  readonly needs: readonly string[];
}

/** Returns the path of a dependency, as Node finds it: from the package's own folder up to the root. */
function findPackagePath(name: string, from: string, { packages }: Lock): string | undefined {
  const folders = from.split('/').map((_, index, parts) => parts.slice(0, parts.length - index).join('/'));
  const place = [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find(
    (each) => packages[each] !== undefined,
  );
  const { link, resolved } = packages[place ?? ''] ?? {};
  return link ? resolved : place;
}

/** Returns all dependencies of a path, by path. */
function collectDependencies(start: string, name: string, lock: Lock): ReadonlyMap<string, ResolvedPackage> {
  const found = new Map<string, ResolvedPackage>();
  const open: [string, string][] = [[start, name]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [place, title] = next;
    const locked = lock.packages[place];
    if (locked === undefined || found.has(place)) continue;
    const asked = { ...locked.peerDependencies, ...locked.optionalDependencies, ...locked.dependencies };
    const needs = Object.keys(asked).flatMap((each) => {
      const at = findPackagePath(each, place, lock);
      return at === undefined ? [] : [[at, each] as [string, string]];
    });
    found.set(place, { name: title, locked, needs: needs.map(([at]) => at) });
    open.push(...needs);
  }
  return found;
}

const toPurl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function toLicenses(licence: string | undefined): readonly object[] {
  if (licence === undefined) return [];
  return [/[\s()]/.test(licence) ? { expression: licence } : { license: { id: licence } }];
}

function toHashes(integrity: string | undefined): readonly object[] {
  const [, digest] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  return digest === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
}

/**
 * Creates the bill of materials of a package of the repository. It has no time and no serial number: the same lock file yields the same
 * text.
 *
 * @param folder the package's folder, relative to the root of the repository
 * @throws {RangeError} the lock file does not contain the folder
 */
export function createBillOfMaterials(folder: string, name: string, version: string, lock: Lock): object {
  const found = collectDependencies(folder, name, lock);
  if (found.size === 0) throw new RangeError(`the lock file does not know ${folder}`);
  const createRef = (place: string): string => {
    const { name: title = '', locked } = found.get(place) ?? {};
    return toPurl(title, locked?.version ?? version);
  };
  const rows = [...found].map(([place, { name: title, locked, needs }]) => ({
    component: {
      type: 'library',
      'bom-ref': createRef(place),
      name: title,
      version: locked.version ?? version,
      purl: createRef(place),
      hashes: toHashes(locked.integrity),
      licenses: toLicenses(locked.license),
    },
    dependsOn: [...new Set(needs.map(createRef))].toSorted(),
  }));
  // One version of a package may be in two places.
  const once = [...new Map(rows.map((row) => [row.component.purl, row])).values()].toSorted((a, b) =>
    a.component.purl < b.component.purl ? -1 : 1,
  );
  const own = createRef(folder);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: once.find(({ component }) => component.purl === own)?.component },
    components: once.filter(({ component }) => component.purl !== own).map(({ component }) => component),
    dependencies: once.map(({ component, dependsOn }) => ({ ref: component.purl, dependsOn })),
  };
}
