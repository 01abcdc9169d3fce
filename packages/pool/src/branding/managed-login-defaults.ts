import type { BrandColorName, Theme } from './brand.ts';
import { DEFAULT_COLORS } from './check-colors.ts';

const hex = (name: BrandColorName, theme: Theme): string => `${DEFAULT_COLORS[name][theme].slice(1)}ff`;

/** Creates members for both themes. */
const inBothModes = (create: (color: (name: BrandColorName) => string) => object) => ({
  darkMode: create((name) => hex(name, 'dark')),
  lightMode: create((name) => hex(name, 'light')),
});

const button = (color: (name: BrandColorName) => string) => ({
  defaults: { backgroundColor: color('accent'), textColor: color('on_accent') },
  hover: { backgroundColor: color('accent_hover'), textColor: color('on_accent') },
  active: { backgroundColor: color('accent_hover'), textColor: color('on_accent') },
});

/** The look of pages without a brand, in the form of a managed login style (`ReturnMergedResources`). */
export const MANAGED_DEFAULTS: Readonly<Record<string, unknown>> = {
  categories: {
    auth: {
      authMethodOrder: [
        [
          { display: 'INPUT', type: 'USERNAME_PASSWORD' },
          { display: 'BUTTON', type: 'FEDERATED' },
        ],
      ],
      federation: { interfaceStyle: 'BUTTON_LIST', order: [] },
    },
    form: {
      displayGraphics: true,
      instructions: { enabled: false },
      languageSelector: { enabled: true },
      location: { horizontal: 'CENTER', vertical: 'CENTER' },
      sessionTimerDisplay: 'NONE',
    },
    global: {
      colorSchemeMode: 'LIGHT',
      pageFooter: { enabled: false },
      pageHeader: { enabled: false },
      spacingDensity: 'REGULAR',
    },
    signUp: { acceptanceElements: [{ enforcement: 'NONE', textKey: 'en' }] },
  },
  componentClasses: {
    buttons: { borderRadius: 10 },
    divider: inBothModes((color) => ({ borderColor: color('border') })),
    focusState: inBothModes((color) => ({ borderColor: color('focus') })),
    idpButtons: { icons: { enabled: false } },
    input: {
      borderRadius: 10,
      ...inBothModes((color) => ({
        defaults: { backgroundColor: color('field'), borderColor: color('field_border') },
        placeholderColor: color('muted'),
      })),
    },
    inputDescription: inBothModes((color) => ({ textColor: color('muted') })),
    inputLabel: inBothModes((color) => ({ textColor: color('text') })),
    link: inBothModes((color) => ({
      defaults: { textColor: color('link') },
      hover: { textColor: color('accent_hover') },
    })),
  },
  components: {
    favicon: { enabledTypes: ['ICO', 'SVG'] },
    form: {
      backgroundImage: { enabled: false },
      borderRadius: 18,
      ...inBothModes((color) => ({ backgroundColor: color('surface'), borderColor: color('border') })),
      logo: { enabled: true, formInclusion: 'IN', location: 'START', position: 'TOP' },
    },
    pageBackground: {
      image: { enabled: false },
      ...inBothModes((color) => ({ color: color('page') })),
    },
    pageText: inBothModes((color) => ({
      bodyColor: color('muted'),
      descriptionColor: color('muted'),
      headingColor: color('text'),
    })),
    primaryButton: inBothModes(button),
  },
};
