import { getPage, PAGES, type PagePath } from '../../../packages/elements/src/pages/page-table.ts';
import { allLanguages } from '../../../packages/elements/src/translations/language-catalogue.ts';

/** The languages of the pages, English first. */
export const LANGUAGES: readonly string[] = allLanguages().map(({ tag }) => tag);

/** The pages under the prefix of browser sessions. Routes of the contract serve the others. */
export const PAGE_PATHS = (Object.keys(PAGES) as PagePath[]).filter((path) => getPage(path).isRoute !== true);

/** The pages that show a form to everyone. */
export const FORM_PATHS = PAGE_PATHS.filter((path) => getPage(path).part === undefined);
