import type { ROUTES, Static } from '@poolgate/contract';

/** The pages for people with their files, which the composition root creates. */
export interface Pages {
  /** The last segments of their paths. */
  readonly names: readonly string[];
  /** Returns the brand's rules for pages that the service renders without files; undefined without a brand. Absent: no brands. */
  plainStyle?(scope: PageScope): Promise<string | undefined>;
  /** Returns a page of {@link names} in every language. The first one is the fallback. */
  shells(name: string, scope: PageScope): Promise<readonly PageShell[]>;
  /** Returns a file of the pages; undefined if it does not exist. A name always means the same bytes. */
  file(name: string): Promise<PageFile | undefined>;
}

/** Whose brand a page has. */
export interface PageScope {
  readonly userPoolId: string;
  readonly clientId: string;
}

/** A page in one language. */
export interface PageShell {
  /** BCP 47. */
  readonly language: string;
  /** Renders it with the known facts, so that its script need not request them. */
  html(known: PageFacts): string;
}

/** What a page may contain from the start. None of it is secret. */
export interface PageFacts {
  /** The prefix of the page's routes, if it differs from the configured one. */
  readonly prefix?: string;
  /** The response of `GET /login/parameters`; omitted if unavailable. */
  readonly parameters?: Static<(typeof ROUTES)['loginParameters']['responses'][200]['schema']>;
  /** Whether the browser sent a session cookie, valid or not. */
  readonly hasSession?: boolean;
  /** The path of the OAuth endpoints, if users of the pages can sign in with other identity providers. */
  readonly providersPath?: string;
}

/** A file that pages load. */
export interface PageFile {
  /** Media type. */
  readonly type: string;
  readonly bytes: Uint8Array;
  /** The same, compressed, by content coding. */
  readonly encoded: Readonly<Record<ContentCoding, Uint8Array>>;
}

/** The documentation as a site of pages. */
export interface Documentation {
  /** Finds the content of a path under `/docs`, without the leading slash. The empty path is the first page. */
  find(path: string): Promise<DocumentationAnswer | undefined>;
}

/** A file of the documentation, or the new address of a moved page. */
export type DocumentationAnswer = { readonly file: PageFile } | { readonly movedTo: string };

/** RFC 9110 §8.4.1. */
export type ContentCoding = 'br' | 'gzip';
