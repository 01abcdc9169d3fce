import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createBrandReader, createMailBrandLookup } from './open-brand-file.ts';
import { readBrandFile } from './read-brand.ts';
import { renderBrand } from './render-brand.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="url(#a)" d="M0 0h8v8z"/></svg>';
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

describe('a brand', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'poolgate-brand-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function write(name: string, content: string | Buffer): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  const readAll = (brand: object) => readBrandFile(write('brand.json', JSON.stringify(brand, null, 2)));
  const read = (brand: object) => renderBrand(readAll(brand).service, undefined, '/cognito/assets/');
  const refuses = (brand: object, message: RegExp) => assert.throws(() => read(brand), { name: 'BrandError', message });

  it('has its logos, favicon and font as files named by content, and a stylesheet', () => {
    write('logo.svg', SVG);
    write('dark.png', PNG);
    write('text.woff2', 'wOF2 and more');
    const brand = read({
      logo: 'logo.svg',
      logo_dark: 'dark.png',
      favicon: 'dark.png',
      font: 'text.woff2',
      accent: { light: '#0A6B47', dark: '#67d7a7' },
      radius: 4,
      links: { terms: 'https://example.com/terms', support: 'mailto:help@example.com' },
    });
    assert.match(brand.logo ?? '', /^logo-[0-9A-F]{10}\.svg$/);
    assert.match(brand.favicon ?? '', /^favicon-[0-9A-F]{10}\.png$/);
    assert.equal(brand.files.get(brand.logo ?? '')?.type, 'image/svg+xml');
    const css = Buffer.from(brand.files.get(brand.style)?.bytes ?? []).toString();
    assert.match(css, /--pg-color-accent:light-dark\(#0a6b47,#67d7a7\)/);
    assert.match(css, /--pg-color-on-accent:light-dark\(#ffffff,#000000\)/);
    assert.match(css, /--pg-radius:4px/);
    for (const [, url = ''] of css.matchAll(/url\("([^"]+)"\)/g)) assert.ok(brand.files.has(url), url);
    assert.deepEqual(brand.links, { terms: 'https://example.com/terms', support: 'mailto:help@example.com' });
  });

  it('warns about colors below 4.5:1, and refuses those below 3:1, with the ratio', () => {
    const { warnings } = readAll({ accent: { light: '#d9480f', dark: '#ffa94d' } });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /#d9480f has a contrast of 4\.\d\d:1/);
    refuses({ accent: { light: '#ffd43b', dark: '#ffd43b' } }, /^line 3: light: #ffd43b has a contrast of 1\.\d\d:1/);
    refuses({ accent: { light: '#0a6b47', dark: '#101010' } }, /^line 4: dark: .* at least 3:1$/);
  });

  it('has other brands for pools and app clients, each with separate checks', () => {
    const { service, pools, clients } = readAll({
      radius: 4,
      pools: { 'us-east-1_abc': { heading: 'Welcome to Acme' } },
      clients: { shop: { theme: 'dark', colors: { surface: { dark: '#101820' } } } },
    });
    assert.deepEqual(service, { radius: 4 });
    assert.deepEqual(pools.get('us-east-1_abc'), { heading: 'Welcome to Acme' });
    assert.equal(clients.get('shop')?.look?.theme, 'dark');
    refuses(
      {
        accent: { light: '#0a6b47', dark: '#67d7a7' },
        clients: { shop: { accent: { light: '#ffd43b', dark: '#fff' } } },
      },
      /^line 10: dark: must be a color/,
    );
    refuses(
      { radius: 4, clients: { shop: { colors: { text: { light: '#dddddd', dark: '#eeeeee' } } } } },
      /^line 7: light: #dddddd has a contrast of 1\.\d\d:1/,
    );
    refuses({ pools: { p: { clients: {} } } }, /^line 4: clients: is unknown/);
    refuses({ heading: 'Welcome to {app}' }, /^line 2: heading: must be a text of up to 80 characters without braces$/);
  });

  it('can set only colors, sizes, the logo and the font', () => {
    write('logo.svg', SVG);
    write('text.woff2', 'wOF2 and more');
    const themed = (light: string, dark: string) => ({ light, dark });
    const brand = read({
      logo: 'logo.svg',
      logo_dark: 'logo.svg',
      font: 'text.woff2',
      accent: themed('#0a6b47', '#67d7a7'),
      colors: {
        page: themed('#faf7f0', '#0b0f0d'),
        surface: themed('#ffffff', '#16201b'),
        link: themed('#0a6b47', '#67d7a7'),
        field_text: themed('#111111', '#eeeeee'),
      },
      theme: 'light',
      radius: 12,
    });
    const css = Buffer.from(brand.files.get(brand.style)?.bytes ?? []).toString();
    for (const rules of [css, brand.plainStyle]) {
      const properties = new Set([...rules.matchAll(/[{;]([\w-]+):/g)].map(([, name = '']) => name));
      const shown = [...properties].filter((name) => !name.startsWith('--pg-'));
      const allowed =
        'background background-image border-radius color color-scheme content display font-display font-family height margin-bottom outline-color src';
      for (const name of shown) assert.ok(allowed.split(' ').includes(name), name);
      assert.doesNotMatch(rules, /position|z-index|transform|opacity|visibility|<|@import|https?:/);
    }
  });

  it('sets the colors of emails from the client, otherwise the pool or the service', () => {
    const brands = readAll({
      accent: { light: '#0a6b47', dark: '#67d7a7' },
      radius: 4,
      pools: { p: { radius: 2 } },
      clients: { shop: { theme: 'dark', accent: { dark: '#8ec9ff' } } },
    });
    const find = createMailBrandLookup(() => brands);
    const button = { accent: '#0a6b47', onAccent: '#ffffff' };
    assert.deepEqual(find('other', undefined), { button, radius: 4 });
    assert.deepEqual(find('p', 'unknown'), { button, radius: 2 });
    assert.deepEqual(find('p', 'shop'), { button: { accent: '#8ec9ff', onAccent: '#000000' }, radius: 2 });
    const unbranded = readAll({ radius: 4 });
    assert.equal(createMailBrandLookup(() => unbranded)('p', undefined), undefined);
    assert.equal(createMailBrandLookup(() => undefined)('p', undefined), undefined);
  });

  it('is read once, when it is first needed', () => {
    const path = write('later.json', '{ "radius": 4 }');
    const read = createBrandReader(path);
    writeFileSync(path, '{ "radius": 6 }');
    const first = read();
    assert.equal(first?.service.radius, 6);
    writeFileSync(path, 'no JSON');
    assert.equal(read(), first);
    assert.throws(createBrandReader(path), { name: 'StartError', message: /^POOLGATE_BRAND_FILE: .*line 1/ });
    assert.equal(createBrandReader(undefined)(), undefined);
  });

  it('gives emails the logo of the level that sets it, unless it is an SVG or made for the dark, and the links', () => {
    write('logo.svg', SVG);
    write('logo.png', PNG);
    const links = { support: 'https://example.com/help' };
    const brands = readAll({
      logo: 'logo.png',
      links,
      pools: { p: { logo: 'logo.png' }, vector: { logo: 'logo.svg' }, dark: { logo: 'logo.png', theme: 'dark' } },
      clients: { shop: { logo: 'logo.png' } },
    });
    const find = createMailBrandLookup(() => brands, 'https://auth.example.com/cognito/assets/');
    const read = (pool: string, client?: string) => find(pool, client)?.logoUrl?.replace(/-[\dA-F]{10}/, '');
    assert.equal(read('other'), 'https://auth.example.com/cognito/assets/logo.png');
    assert.equal(read('p'), 'https://auth.example.com/cognito/assets/logo.p.ALL.png');
    assert.equal(read('p', 'shop'), 'https://auth.example.com/cognito/assets/logo.p.shop.png');
    assert.equal(read('vector'), undefined);
    assert.equal(read('dark'), undefined);
    assert.deepEqual(find('vector', undefined)?.links, links);
    assert.equal(createMailBrandLookup(() => brands)('p', 'shop')?.logoUrl, undefined);
  });

  it('makes a logo without a dark version visible in the dark theme', () => {
    write('logo.svg', SVG);
    const readRules = (brand: object) => {
      const { files, style, plainStyle } = read(brand);
      return [Buffer.from(files.get(style)?.bytes ?? []).toString(), plainStyle] as const;
    };
    const plate = /prefers-color-scheme:dark\)\{[^}]*background(?:-color)?:#ffffff\}/;
    for (const rules of readRules({ logo: 'logo.svg' })) assert.match(rules, plate);
    for (const brand of [
      { logo: 'logo.svg', logo_dark: 'logo.svg' },
      { logo: 'logo.svg', theme: 'dark' },
    ])
      for (const rules of readRules(brand)) assert.doesNotMatch(rules, plate);
  });

  it('refuses a bad file with its line', () => {
    assert.throws(
      () => readBrandFile(write('brand.json', '{\n  "radius": 4,\n  oops\n}')),
      /^BrandError: line 3: the file is not JSON/,
    );
    refuses({ radius: 4, colour: 'red' }, /^line 3: colour: is unknown\. Use logo, /);
    refuses({ radius: '4px' }, /^line 2: radius: must be a number of pixels from 0 to 24$/);
    refuses({ radius: 4, logo: 'none.svg' }, /^line 3: logo: none\.svg cannot be read \(ENOENT\)$/);
    refuses({ accent: { light: 'red;}body{display:none', dark: '#ffffff' } }, /^line 3: light: must be a color/);
    for (const url of ['javascript:alert(1)', 'http://example.com', 'https://user@example.com', 7])
      refuses({ links: { terms: url } }, /^line 3: terms: must be an https or mailto URL$/);
    assert.throws(() => readBrandFile(join(folder, 'absent.json')), { code: 'ENOENT' });
  });

  it('has no image that could run a script, load another file or be something else', () => {
    const active = [
      '<script>1</script>',
      '<svg:script>1</svg:script>',
      '<é.1:script xmlns:é.1="http://www.w3.org/2000/svg">1</é.1:script>',
      '<path onload="alert(1)"/>',
      '<path\nonclick=alert(1) />',
      '<foreignObject><p>x</p></foreignObject>',
      '<a href="https://evil.example">x</a>',
      '<image href="https://evil.example/x.png"/>',
      '<use href="other.svg#x"/>',
      '<style>@import "x.css";</style>',
      '<path style="fill:url(https://evil.example/#x)"/>',
      '<set attributeName="href" to="javascript:1"/>',
    ];
    for (const content of active) {
      write('logo.svg', SVG.replace('<path', `${content}<path`));
      refuses({ logo: 'logo.svg' }, /^line 2: logo: logo\.svg (?:contains|is not well-formed) /);
    }
    write('logo.svg', `<!DOCTYPE svg [<!ENTITY x "y">]>${SVG}`);
    refuses({ logo: 'logo.svg' }, /contains a document type/);
    write('logo.png', SVG);
    refuses({ logo: 'logo.png' }, /logo\.png is not image\/png/);
    write('logo.html', '<p>');
    refuses({ logo: 'logo.html' }, /has none of the extensions/);
    write('large.png', Buffer.concat([PNG, Buffer.alloc(600_000)]));
    refuses({ logo: 'large.png' }, /is larger than 512 KiB/);
  });
});
