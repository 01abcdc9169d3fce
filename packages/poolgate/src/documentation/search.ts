/** The search of the documentation, in the browser. It loads the texts when someone begins to search. It also follows old anchors. */
import MiniSearch from 'minisearch';

interface IndexedSection {
  readonly id: number;
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const MOST_RESULTS = 8;
const EXCERPT_LENGTH = 120;

const find = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const input = find('search') as HTMLInputElement;
const results = find('results');
const status = find('search-status');
let loading: Promise<(query: string) => readonly IndexedSection[]> | undefined;
let selected = -1;

async function loadIndex(): Promise<(query: string) => readonly IndexedSection[]> {
  const response = await fetch(input.dataset.index ?? '');
  const sections = (await response.json()) as readonly IndexedSection[];
  const searchOptions = { boost: { page: 4, heading: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' } as const;
  const index = new MiniSearch<IndexedSection>({ fields: ['page', 'heading', 'text'], searchOptions });
  index.addAll(sections);
  return (query) =>
    index.search(query).flatMap(({ id }) => {
      const section = sections[id as number];
      return section === undefined ? [] : [section];
    });
}

function createText(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/** The text around the first word of the query. */
function createExcerpt(text: string, query: string): string {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(' ')[0] ?? '');
  const start = Math.max(0, at - EXCERPT_LENGTH / 3);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + EXCERPT_LENGTH)}${text.length > start + EXCERPT_LENGTH ? '…' : ''}`;
}

function createResult({ url, page, heading, text }: IndexedSection, query: string, place: number): HTMLElement {
  const item = document.createElement('li');
  item.id = `result-${place}`;
  item.role = 'option';
  const link = document.createElement('a');
  link.href = url;
  link.tabIndex = -1;
  const title = heading === page ? page : `${page} › ${heading}`;
  link.append(createText('strong', title), createText('span', createExcerpt(text, query)));
  item.append(link);
  return item;
}

function close(): void {
  results.hidden = true;
  input.ariaExpanded = 'false';
  select(-1);
}

function select(place: number): void {
  selected = place;
  for (const [index, item] of [...results.children].entries()) item.ariaSelected = String(index === place);
  if (place < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `result-${place}`);
  results.children[place]?.scrollIntoView({ block: 'nearest' });
}

async function showResults(): Promise<void> {
  const query = input.value.trim();
  if (query === '') {
    status.textContent = '';
    return close();
  }
  loading ??= loadIndex();
  const search = await loading.catch(() => {
    loading = undefined;
  });
  if (query !== input.value.trim()) return;
  const found = search?.(query).slice(0, MOST_RESULTS) ?? [];
  results.replaceChildren(...found.map((section, place) => createResult(section, query, place)));
  results.hidden = found.length === 0;
  input.ariaExpanded = String(found.length > 0);
  status.textContent = describeCount(search === undefined ? undefined : found.length, query);
  select(found.length > 0 ? 0 : -1);
}

function describeCount(count: number | undefined, query: string): string {
  if (count === undefined) return 'The search could not load. Check your connection and try again.';
  if (count === 0) return `No results for “${query}”`;
  return count === 1 ? '1 result' : `${count} results`;
}

function onKey(event: KeyboardEvent): void {
  const { length } = results.children;
  if (event.key === 'Escape') close();
  if (results.hidden || length === 0) return;
  if (event.key === 'ArrowDown') select((selected + 1) % length);
  else if (event.key === 'ArrowUp') select((selected - 1 + length) % length);
  else if (event.key === 'Enter') results.children[selected]?.querySelector('a')?.click();
  else return;
  event.preventDefault();
}

input.addEventListener('input', () => void showResults());
input.addEventListener('keydown', onKey);
input.addEventListener('blur', () =>
  setTimeout(() => input.matches(':focus') || results.matches(':hover') || close(), 100),
);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  input.focus();
});
(input.closest('search') as HTMLElement).hidden = false;

/** Opens the new page of a section that has moved. */
function followMovedSection(): void {
  const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = section?.hasAttribute('data-moved') ? section.querySelector('a') : null;
  if (link) location.replace(link.href);
}

addEventListener('hashchange', followMovedSection);
followMovedSection();
