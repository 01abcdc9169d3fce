import type { ROUTES, Static } from '@poolgate/contract';

/** The pages that people see and the files that these load; whoever puts the service together makes them. */
export interface Pages {
  /** The last parts of their paths. */
  readonly names: readonly string[];
  /** A page of {@link names} in every language; the first is for whoever speaks none of them. */
  shells(name: string): Promise<readonly PageShell[]>;
  /** A file that pages load; undefined where there is none of that name. A name stands for the same bytes for ever. */
  file(name: string): Promise<PageFile | undefined>;
}

/** A page in one language. */
export interface PageShell {
  /** BCP 47. */
  readonly language: string;
  /** With what is known already, so that its script need not ask. */
  html(known: PageFacts): string;
}

/** What a page may be told when it is asked for. Nothing in it is secret. */
export interface PageFacts {
  /** The answer of `GET /login/parameters`; left out where there is none now. */
  readonly parameters?: Static<(typeof ROUTES)['loginParameters']['responses'][200]['schema']>;
  /** Whether the browser sent a cookie of a session, good or not. */
  readonly hasSession?: boolean;
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
  /** What a path below `/docs` leads to, without the slash before it; the empty path is the first page. */
  find(path: string): Promise<DocumentationAnswer | undefined>;
}

/** A file of the documentation, or the address of a page that was moved. */
export type DocumentationAnswer = { readonly file: PageFile } | { readonly movedTo: string };

/** RFC 9110 §8.4.1. */
export type ContentCoding = 'br' | 'gzip';
