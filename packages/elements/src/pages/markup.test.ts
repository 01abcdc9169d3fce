import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeHtml } from '@poolgate/provider';
import { html, nothing } from 'lit';
import { initialValue } from '../ui/initial-value.ts';
import { renderMarkup } from './markup.ts';

/** Without the digests of templates, which do not matter to a reader. */
const written = (value: unknown): string =>
  renderMarkup(value, escapeHtml).replaceAll(/<!--lit-part [^>]+-->/g, '<!--lit-part T-->');

describe('a template as markup', () => {
  it('numbers its elements and parts as lit-html does', () => {
    const inner = html`<b>${'x'}</b>`;
    assert.equal(
      written(html`<p><i></i>${inner}<a href=${'/y'}>${nothing}</a></p>`),
      '<!--lit-part T--><p><i></i><!--lit-part T--><b><!--lit-part-->x<!--/lit-part--></b><!--/lit-part--><!--lit-node 3--><a href="/y"><!--lit-part--><!--/lit-part--></a></p><!--/lit-part-->',
    );
  });

  it('has attributes with one or several values, switches, and the value of a field, but no listeners', () => {
    const given = { id: 'a', press: () => undefined };
    assert.equal(
      written(
        html`<input id="x-${given.id}-1-${'b'}-y" name=${'n'} ?readonly=${true} ?hidden=${false} @input=${given.press} .value=${initialValue('v')} title=${nothing} />`,
      ),
      '<!--lit-part T--><!--lit-node 0--><input id="x-a-1-b-y" name="n" readonly value="v" /><!--/lit-part-->',
    );
    assert.doesNotMatch(written(html`<input .value=${initialValue('')} />`), /value/);
    assert.equal(
      written(html`<p class="x ${'a'}" lang='${'b'}' id="${'c'}${'d'}">e</p>`),
      '<!--lit-part T--><!--lit-node 0--><p class="x a" lang="b" id="cd">e</p><!--/lit-part-->',
    );
  });

  it('writes lists, numbers and user input as text', () => {
    const name = '<img src=x onerror="ran()">';
    assert.equal(
      written(html`<p title=${name}>${['&', 2]}</p>`),
      '<!--lit-part T--><!--lit-node 0--><p title="&lt;img src=x onerror=&quot;ran()&quot;&gt;"><!--lit-part--><!--lit-part-->&amp;<!--/lit-part--><!--lit-part-->2<!--/lit-part--><!--/lit-part--></p><!--/lit-part-->',
    );
  });

  it('writes nothing unknown', () => {
    assert.throws(() => renderMarkup(html`<p .data=${{}}></p>`, escapeHtml), TypeError);
    assert.throws(() => renderMarkup(html`<p>${{ an: 'object' }}</p>`, escapeHtml), TypeError);
    assert.throws(() => renderMarkup(html`<p>${() => 'a function'}</p>`, escapeHtml), TypeError);
    assert.throws(() => renderMarkup(html`<p ${'hidden'}></p>`, escapeHtml), /where no attribute is/);
  });
});
