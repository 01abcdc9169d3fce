import { readFileSync } from 'node:fs';
import { PAGES, type PagePath } from '../../packages/elements/src/pages/page-table.ts';
import { SCENES, type Scene } from './scenes.ts';

interface Manifest {
  readonly modules: readonly {
    readonly path: string;
    readonly declarations: readonly { readonly tagName: Scene['element'] }[];
  }[];
}

const { modules }: Manifest = JSON.parse(
  readFileSync(new URL('../../packages/elements/custom-elements.json', import.meta.url), 'utf8'),
);

/** Every element of the elements' manifest. */
export const ELEMENTS: readonly Scene['element'][] = modules.flatMap(({ declarations }) =>
  declarations.map(({ tagName }) => tagName),
);

const ACCOUNT_ELEMENTS: ReadonlySet<string> = new Set(
  modules
    .filter(({ path }) => path.includes('account'))
    .flatMap(({ declarations }) => declarations.map(({ tagName }) => tagName)),
);

/** An element's first appearance. */
interface FirstState extends Scene {
  /** The page that shows it. Undefined: it is a section of the account. */
  readonly page: PagePath | undefined;
}

/** The elements whose first state needs no row in {@link SCENES}, by the names of their pictures. */
export const FIRST_STATES: Readonly<Record<string, FirstState>> = Object.fromEntries(
  ELEMENTS.filter((tag) => !Object.values(SCENES).some(({ element }) => element === tag)).flatMap((element) => {
    const [page] = (Object.keys(PAGES) as PagePath[]).filter((path) => PAGES[path].element === element);
    const isInAccount = ACCOUNT_ELEMENTS.has(element);
    // A page behind an email's link is opened with the email's token.
    if (page === undefined ? !isInAccount : 'isRoute' in PAGES[page]) return [];
    const name = element.replace('poolgate-', '');
    const title = (name.slice(0, 1).toUpperCase() + name.slice(1)).replaceAll('-', ' ');
    return [[name, { title, chapter: isInAccount ? 'account' : 'sign-in', element, page }]];
  }),
);
