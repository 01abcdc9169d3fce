import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ContentCoding, PageFacts, PageShell } from '../kernel/pages.ts';

/** A page as it is sent. It contains no secret and nothing from the request, so its length may be public. */
export interface RenderedShell {
  readonly html: string;
  /** SHA-256, base64url. */
  readonly digest: string;
  /** Returns it compressed; it is compressed once for all requests. */
  encoded(coding: ContentCoding): Promise<Uint8Array>;
}

const BROTLI_QUALITY = 9;

const COMPRESS: Readonly<Record<ContentCoding, (html: string) => Promise<Uint8Array>>> = {
  br: (html) => promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (html) => promisify(gzip)(html),
};

/** The last rendered form of each shell, with and without a session, for every page and language. */
export class RenderedShellCache {
  readonly #last = new WeakMap<PageShell, Map<boolean | undefined, RenderedShell>>();

  /** Returns a page with the current facts. It is hashed and compressed again only when they change. */
  of(shell: PageShell, known: PageFacts): RenderedShell {
    const ofShell = this.#last.get(shell) ?? new Map<boolean | undefined, RenderedShell>();
    this.#last.set(shell, ofShell);
    const html = shell.html(known);
    const last = ofShell.get(known.hasSession);
    if (last?.html === html) return last;
    const next = renderShell(html);
    ofShell.set(known.hasSession, next);
    return next;
  }
}

function renderShell(html: string): RenderedShell {
  const encoded = new Map<ContentCoding, Promise<Uint8Array>>();
  return {
    html,
    digest: createHash('sha256').update(html).digest('base64url'),
    encoded(coding) {
      const bytes = encoded.get(coding) ?? COMPRESS[coding](html);
      encoded.set(coding, bytes);
      return bytes;
    },
  };
}
