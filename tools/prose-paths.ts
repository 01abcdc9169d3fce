/** The files that `npm run prose` checks. */
export const CHECKED_PATHS: readonly string[] = [
  '*.md',
  'docs/**/*.md',
  'examples/*/*.md',
  'packages/*/README.md',
  'packages/*/src/**/*.ts',
  'tools/*.ts',
];

/** Excluded: tests, generated files, languages other than English, and the rules themselves, which quote what they reject. */
export const UNCHECKED_PATHS: readonly RegExp[] = [
  /\.test\.ts$/,
  /\/testing\//,
  /\/translations\/(?:account-|forms-)?(?:ar|de|es|fr|ja)\.ts$/,
  /\/delivery\/languages\/(?:ar|de|es|fr|ja)\.ts$/,
  /\/delivery\/languages\/factor-changes\.ts$/,
  /\/http\/error-page-texts\.ts$/,
  /\/oauth\/oauth-page-texts\.ts$/,
  /\/provider\/src\/shapes\.ts$/,
  /^tools\/prose-rules\.ts$/,
];
