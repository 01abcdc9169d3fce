import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isHtml, toPlainText } from './html-text.ts';

describe('the text of an HTML mail', () => {
  it('contains its words in lines, and the targets of its links', () => {
    const rows: readonly [html: string, text: string][] = [
      ['Your code is <b>{####}</b>', 'Your code is {####}'],
      ['<p>Hello  {username},</p>\n<p>the code:<br>{####}</p>', 'Hello {username},\n\nthe code:\n{####}'],
      ['<ul><li>one</li><li>two</li></ul>', '- one\n\n- two'],
      ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
      [
        '<a href="https://a.example/?x=1&amp;y={####}">Confirm</a> now',
        'Confirm (https://a.example/?x=1&y={####}) now',
      ],
      ["<a class=b href='https://a.example'>https://a.example</a>", 'https://a.example'],
      ['<A HREF=https://a.example/b>b</A>', 'b (https://a.example/b)'],
      ['<a href="#top">top</a> <a name="x">x</a>', 'top x'],
      [
        '<!doctype html><html><head><title>T</title><style>p{}</style></head><body>B<!-- <p>no</p> --></body></html>',
        'B',
      ],
      ['<STYLE>a > b {}</STYLE>x<script>if (a</b) "</p>"</script>y', 'xy'],
      ['5 &lt; 6 &amp;&nbsp;7 &#8212; &#x1F600; &unknown; &#0; &#1114112;', '5 < 6 & 7 — 😀 &unknown; &#0; &#1114112;'],
      ['a < b and c<d', 'a < b and c<d'],
      ['<img alt="a > b" src=x>after', 'after'],
      ['<!-- never ends', ''],
      ['<a href="https://a.example"><b>Go</b> now</a>, Ada', 'Go now (https://a.example), Ada'],
      ['a</a> b</style> c', 'a b c'],
      ['&#1;&#x10ffff;&#x110000;', '\u0001\u{10ffff}&#x110000;'],
      ['<style>never ends', ''],
    ];
    for (const [html, text] of rows) assert.equal(toPlainText(html), text, html);
    assert.equal(toPlainText(''), '');
  });

  it('is created only from HTML', () => {
    for (const html of ['<b>x</b>', 'x<br>', '<!-- -->', 'a&nbsp;b', '&#8212;', '<!doctype html>']) {
      assert.ok(isHtml(html), html);
    }
    for (const text of ['Your code is {####}', 'a < b, c > d', 'Tom & Jerry; x', '<3 {####}', 'a <', '']) {
      assert.ok(!isHtml(text), text);
    }
  });

  it('takes only a moment for 100,000 characters that look like tags, and never fails', () => {
    const units = [
      '<',
      '<a',
      '<a ',
      '<a"',
      "<a'",
      '<a b="',
      '<!--',
      '<style>',
      '</',
      '&#',
      '&a',
      '{##',
      ' ',
      '\n',
      '<a href=',
      '<p>',
    ];
    for (const unit of units) {
      const html = unit.repeat(Math.floor(100_000 / unit.length));
      const startedMs = performance.now();
      toPlainText(html);
      isHtml(html);
      assert.ok(performance.now() - startedMs < 2_000, unit);
    }
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...units, '>', '"', "'", '-->', 'x'), fc.string())), (parts) => {
        assert.equal(typeof toPlainText(parts.join('')), 'string');
      }),
    );
  });
});
