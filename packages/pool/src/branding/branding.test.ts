import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BrandProblem } from './brand.ts';
import { formatBrandFileName, parseBrandFileName } from './brand-file-name.ts';
import { checkImage } from './brand-image.ts';
import { findWeakColors } from './check-colors.ts';
import { parseClassicCss } from './classic-css.ts';
import { computeContrast } from './contrast.ts';
import { MANAGED_DEFAULTS } from './managed-login-defaults.ts';
import { mergeSettings, readManagedSettings, toManagedBrand } from './managed-login-settings.ts';
import { checkClassicBranding, checkManagedBranding } from './stored-brand.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const createSvg = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`);

describe('an SVG logo', () => {
  const check = (svg: Buffer) => checkImage('.svg', svg);

  it('can have shapes, text, gradients and styles', () => {
    const content = `<?xml version="1.0"?><!-- made by hand --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
      <title>Acme</title><defs><linearGradient id="a"><stop offset="0" stop-color="#0a6"/></linearGradient></defs>
      <style>.a { fill: url(#a) }</style><g class="a" transform="scale(2)"><path fill="url('#a')" d="M0 0h8v8z"/></g>
      <use href="#a"/><text x="1" y="2">Acme</text></svg>`;
    assert.ok('file' in check(Buffer.from(content)));
  });

  const refused: Readonly<Record<string, string>> = {
    'a script': '<script>1</script>',
    'a script in a namespace of its own': '<x:script xmlns:x="http://www.w3.org/1999/xhtml">1</x:script>',
    'HTML inside': '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
    'an element of HTML': '<p xmlns="http://www.w3.org/1999/xhtml">x</p>',
    'an event handler': '<path onload="alert(1)"/>',
    'an animation of a link': '<set attributeName="href" to="javascript:1"/>',
    'a link': '<a href="https://evil.example">x</a>',
    'an image': '<image href="https://evil.example/x.png"/>',
    'another file': '<use xlink:href="other.svg#x"/>',
    'another file by a relative address': '<use href="//evil.example/x.svg#x"/>',
    'paint from elsewhere': '<path fill="url(https://evil.example/#x)"/>',
    'paint from elsewhere in a style': '<path style="fill:URL( &quot;https://evil.example/#x&quot;)"/>',
    'an escaped address': String.raw`<path style="fill:u\72l(https://evil.example/#x)"/>`,
    'an imported style': '<style>@import "x.css";</style>',
    'an imported style in CDATA': '<style><![CDATA[@import "x.css";]]></style>',
    'an address that a comment divides': '<style>.a{fill:ur<!--x-->l(https://evil.example/)}</style>',
    'an address that CDATA divides': '<style>.a{fill:ur<![CDATA[l(https://evil.example/)}]]></style>',
    'an address that an element divides': '<style>.a{fill:ur<g/>l(https://evil.example/)}</style>',
    'an element in a style': '<style><g>.a{fill:red}</g></style>',
    'an address after more text than the parser keeps': `<style>${' '.repeat(65_535)}.a{fill:url(https://evil.example/)}</style>`,
    'a font': '<style>@font-face{font-family:x;src:url(x.woff)}</style>',
    'a base address': '<g xml:base="https://evil.example/"/>',
    'metadata of an editor': '<metadata/>',
    'markup that is not closed': '<g>',
    'an unknown entity': '&nbsp;',
  };
  for (const [what, content] of Object.entries(refused))
    it(`has no ${what}`, () => assert.ok('problem' in check(createSvg(content))));

  it('is UTF-8 by its declaration too', () => {
    const declare = (declaration: string) => Buffer.from(`<?xml ${declaration}?>${createSvg('')}`);
    for (const declaration of [
      'version="1.0"',
      'version="1.0" encoding="UTF-8"',
      `version='1.0' encoding='utf-8' standalone='no'`,
    ])
      assert.ok('file' in check(declare(declaration)), declaration);
    for (const declaration of [
      'version="1.0" encoding="UTF-7"',
      `version="1.0"  encoding = 'Shift_JIS'`,
      'encoding="UTF-16"',
    ])
      assert.ok('problem' in check(declare(declaration)), declaration);
  });

  it('has no document type, no processing instruction and no other root', () => {
    for (const text of [
      '<!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns="http://www.w3.org/2000/svg"/>',
      '<?xml-stylesheet href="x.css"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      '<svg/>',
      '<!-- <svg --><html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>',
      '<svg xmlns="http://www.w3.org/1999/xhtml"/>',
    ])
      assert.ok('problem' in check(Buffer.from(text)), text);
    assert.ok('problem' in check(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>', 'utf16le')));
    assert.ok('problem' in check(Buffer.concat([createSvg(''), Buffer.from([0xff])])));
  });
});

describe('an image', () => {
  it('is recognized by its bytes', () => {
    assert.deepEqual(checkImage('.png', PNG), { file: { type: 'image/png', extension: '.png', bytes: PNG } });
    assert.deepEqual(checkImage('.jpg', PNG), { problem: 'is not image/jpeg' });
    assert.deepEqual(checkImage('.png', createSvg('')), { problem: 'is not image/png' });
    assert.ok('problem' in checkImage('.html', PNG));
  });

  it('has a name that identifies its owner', () => {
    const file = { bytes: PNG, extension: '.png' };
    for (const owner of [{ poolId: 'eu-west-1_AbC1' }, { poolId: 'eu-west-1_AbC1', clientId: 'client+1' }])
      assert.deepEqual(parseBrandFileName(formatBrandFileName('logo-dark', file, owner)), owner);
    assert.equal(parseBrandFileName(formatBrandFileName('logo', file, undefined)), undefined);
    assert.equal(parseBrandFileName('../x'), undefined);
  });
});

describe('the CSS of SetUICustomization', () => {
  it('sets the colors, the theme and the corners of the pages', () => {
    const css = `/* ours */ .background-customizable { background-color: #0f1115; }
      .banner-customizable { padding: 25px 0px 25px 0px; background: rgb(23, 26, 33); }
      .label-customizable { color: white; font-weight: 400 }
      .inputField-customizable { background-color: #3a4150; border: 1px solid #4a5262; color: hsl(0 0% 100%); }
      .submitButton-customizable { background-color: #4f8cff; color: #000; border-radius: 8px }
      .submitButton-customizable:hover { background-color: #3f7ae0; }`;
    const { brand, bannerColor } = parseClassicCss(css);
    const both = (color: string) => ({ light: color, dark: color });
    assert.equal(brand.look?.theme, 'dark');
    assert.deepEqual(brand.look?.colors.surface, both('#0f1115'));
    assert.deepEqual(brand.look?.colors.field_border, both('#4a5262'));
    assert.deepEqual(brand.look?.colors.field_text, both('#ffffff'));
    assert.deepEqual(brand.look?.colors.accent_hover, both('#3f7ae0'));
    assert.equal(brand.radius, 8);
    assert.equal(bannerColor, '#171a21');
    assert.deepEqual(parseClassicCss('.label-customizable {font-weight: 400;}').brand, {});
  });

  const refused: Readonly<Record<string, readonly [css: string, line: number]>> = {
    'another class': ['\n.evil {color: red}', 2],
    'an element': ['body {color: red}', 1],
    'a class inside another': ['.banner-customizable .label-customizable {color: red}', 1],
    'a state that Cognito lacks': ['.banner-customizable:hover {color: red}', 1],
    'a pseudo-element': ['.banner-customizable::after {color: red}', 1],
    'an import': ['@import "x.css";', 1],
    'a media query': ['\n\n@media print {.label-customizable {color: red}}', 3],
    'a nested rule': ['.label-customizable {\n& .x {color: red}}', 2],
    'a property that moves things': ['.label-customizable {\nposition: fixed}', 2],
    'a text': ['.label-customizable {content: "x"}', 1],
    'an address': ['.banner-customizable {background: url(https://evil.example/x.png)}', 1],
    'an escaped address': [String.raw`.banner-customizable {background: u\72l(//evil.example)}`, 1],
    'a custom property': ['.label-customizable {--x: 1}', 1],
    'a variable': ['.label-customizable {color: var(--x)}', 1],
    'an invalid value': ['.label-customizable {color: expression(alert(1))}', 1],
    'the end of a style element': ['.label-customizable {color: red}</style><script>', 1],
  };
  for (const [what, [css, line]] of Object.entries(refused))
    it(`has no ${what}`, () =>
      assert.throws(
        () => parseClassicCss(css),
        (error: Error) => error instanceof BrandProblem && error.message.startsWith(`line ${line}: `),
      ));

  it('is refused with the ratio if its colors cannot be read', () => {
    const css = '.submitButton-customizable {background-color: #ffe066; color: #fff}';
    assert.throws(() => checkClassicBranding({ css }), /has a contrast of 1\.\d\d:1/);
    const weak = '.submitButton-customizable {background-color: #d9480f; color: #fff}';
    assert.match(checkClassicBranding({ css: weak }).warnings[0] ?? '', /#d9480f has a contrast of 4\.\d\d:1/);
  });

  it('comes with a PNG or JPEG logo', () => {
    assert.ok(checkClassicBranding({ image: PNG.toString('base64') }).brand.logo);
    for (const image of [createSvg(''), Buffer.from('GIF89a')])
      assert.throws(() => checkClassicBranding({ image: image.toString('base64') }), BrandProblem);
  });
});

describe('a style of managed login', () => {
  const SETTINGS = {
    categories: { global: { colorSchemeMode: 'DYNAMIC' } },
    componentClasses: { buttons: { borderRadius: 4 } },
    components: {
      primaryButton: {
        lightMode: { defaults: { backgroundColor: '0a6b47ff', textColor: 'ffffffff' } },
        darkMode: { defaults: { backgroundColor: '67d7a7ff' } },
      },
      pageBackground: { lightMode: { color: 'faf7f0ff' } },
    },
  };

  it('sets colors of one or both themes', () => {
    const brand = toManagedBrand(SETTINGS);
    assert.equal(brand.look?.theme, undefined);
    assert.deepEqual(brand.look?.colors.accent, { light: '#0a6b47', dark: '#67d7a7' });
    assert.deepEqual(brand.look?.colors.page, { light: '#faf7f0', dark: '#0c0f15' });
    assert.equal(brand.radius, 4);
    const only = toManagedBrand({ ...SETTINGS, categories: {} });
    assert.equal(only.look?.theme, 'light');
    assert.deepEqual(only.look?.colors.accent, { light: '#0a6b47', dark: '#0a6b47' });
  });

  it('is refused with the place of the error', () => {
    const components = (value: unknown) => ({ components: { form: value } });
    assert.throws(() => readManagedSettings([]), /Settings must be an object/);
    assert.throws(() => readManagedSettings({ css: 'x' }), /Settings\.css is unknown/);
    assert.throws(
      () => readManagedSettings(components({ backgroundColor: 'red' })),
      /form\.backgroundColor must be a color/,
    );
    assert.throws(() => readManagedSettings(components({ borderRadius: '8px' })), /borderRadius must be a number/);
    assert.throws(
      () => readManagedSettings({ categories: { global: { colorSchemeMode: 'PINK' } } }),
      /colorSchemeMode must be LIGHT, DARK, DYNAMIC/,
    );
    const deep = Array.from({ length: 20 }).reduce<object>((inner) => ({ a: inner }), {});
    assert.throws(() => readManagedSettings({ components: deep }), /nested too deeply/);
  });

  it('shows the logo of each color mode, unless the style hides it', () => {
    const asset = (Category: string, ColorMode: string, Bytes: Buffer, Extension = 'PNG') => ({
      Category,
      ColorMode,
      Extension,
      Bytes: Bytes.toString('base64'),
    });
    const assets = [
      asset('FORM_LOGO', 'LIGHT', PNG),
      asset('FORM_LOGO', 'DARK', createSvg('<g/>'), 'SVG'),
      asset('FAVICON_SVG', 'DYNAMIC', createSvg(''), 'SVG'),
      asset('PAGE_BACKGROUND', 'DARK', PNG),
    ];
    const { brand } = checkManagedBranding({ usesDefaults: false, assets });
    assert.deepEqual([brand.logo?.light.type, brand.logo?.dark?.type], ['image/png', 'image/svg+xml']);
    assert.equal(brand.favicon?.type, 'image/svg+xml');
    const settings = { components: { form: { logo: { enabled: false } } } };
    assert.equal(checkManagedBranding({ usesDefaults: false, settings, assets }).brand.logo, undefined);
    for (const wrong of [
      asset('FORM_LOGO', 'LIGHT', PNG, 'JPEG'),
      asset('FORM_LOGO', 'LIGHT', createSvg('<script/>'), 'SVG'),
      asset('FAVICON_ICO', 'LIGHT', PNG),
      { Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'PNG' },
    ])
      assert.throws(() => checkManagedBranding({ usesDefaults: false, assets: [wrong] }), BrandProblem);
  });

  it('has readable defaults, which custom settings replace one by one', () => {
    readManagedSettings(MANAGED_DEFAULTS);
    const merged = mergeSettings(MANAGED_DEFAULTS, SETTINGS);
    assert.deepEqual(toManagedBrand(merged).look?.colors.accent, { light: '#0a6b47', dark: '#67d7a7' });
    assert.deepEqual(toManagedBrand(merged).look?.colors.surface, { light: '#ffffff', dark: '#161a22' });
    const look = toManagedBrand(mergeSettings(MANAGED_DEFAULTS, { categories: SETTINGS.categories })).look;
    assert.deepEqual(look && findWeakColors(look), []);
    const shared = JSON.parse('{"components": {"__proto__": {"polluted": true}}}') as Readonly<Record<string, unknown>>;
    mergeSettings(MANAGED_DEFAULTS, shared);
    assert.equal('polluted' in {}, false);
  });
});

describe('colors', () => {
  it('are compared as WCAG says', () => {
    assert.equal(computeContrast('#000000', '#ffffff'), 21);
    assert.deepEqual(findWeakColors({ colors: { accent: { light: '#0a6b47', dark: '#67d7a7' } } }), []);
  });

  it('of text depend on the surface, so that they stay readable', () => {
    const surface = { light: '#101820', dark: '#101820' };
    const accent = { light: '#67d7a7', dark: '#67d7a7' };
    const { length } = findWeakColors({ theme: 'light', colors: { surface, page: surface, accent } });
    assert.equal(length, 0);
  });
});
