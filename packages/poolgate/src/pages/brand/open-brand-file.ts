import { type Brand, completeColors, formatBrandFileName } from '@poolgate/pool/branding';
import { StartError } from '../../process/start-error.ts';
import { BrandError } from './brand-error.ts';
import { type FileBrands, readBrandFile } from './read-brand.ts';

/** Returns a function that reads the brand file of the configuration once, at its first call. It throws a {@link StartError} if the file cannot be used. */
export function createBrandReader(file: string | undefined): () => FileBrands | undefined {
  let brands: FileBrands | undefined;
  return () => {
    if (file !== undefined) brands ??= openBrandFile(file);
    return brands;
  };
}

function openBrandFile(file: string): FileBrands {
  try {
    return readBrandFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = error instanceof BrandError ? message : `cannot be read (${code ?? message})`;
    throw new StartError('setting_refused', `POOLGATE_BRAND_FILE: ${file}, ${problem}`, error);
  }
}

const DEFAULT_RADIUS_PX = 8;

/** Email programs show no SVG. */
const MAIL_IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);

/**
 * Finds the look of emails: that of the app client, completed by that of the pool and that of the service.
 * @param assetsUrl the folder of the files, with a trailing slash; undefined if the service has no fixed address, so emails have no logo
 */
export function createMailBrandLookup(readBrands: () => FileBrands | undefined, assetsUrl?: string) {
  return (poolId: string, clientId: string | undefined) => {
    const brands = readBrands();
    if (brands === undefined) return undefined;
    const { service, pools, clients } = brands;
    const ofPool = pools.get(poolId);
    const ofClient = clientId === undefined ? undefined : clients.get(clientId);
    const { look, logo, links, radius = DEFAULT_RADIUS_PX }: Brand = { ...service, ...ofPool, ...ofClient };
    const { accent, on_accent: onAccent } = look === undefined ? {} : completeColors(look.colors);
    const theme = look?.theme ?? 'light';
    const button = accent && onAccent && { accent: accent[theme], onAccent: onAccent[theme] };
    const owner = ofClient?.logo && clientId !== undefined ? { poolId, clientId } : ofPool?.logo && { poolId };
    // The logo of a brand that is dark everywhere could hardly be seen on the light background of an email.
    const isForDark = theme === 'dark' && logo?.dark === undefined;
    const isShown = assetsUrl !== undefined && logo !== undefined && !isForDark && MAIL_IMAGES.has(logo.light.type);
    const logoUrl = isShown ? `${assetsUrl}${formatBrandFileName('logo', logo.light, owner)}` : undefined;
    if (button === undefined && logoUrl === undefined && links === undefined) return undefined;
    return { radius, ...(button && { button }), ...(logoUrl && { logoUrl }), ...(links && { links }) };
  };
}
