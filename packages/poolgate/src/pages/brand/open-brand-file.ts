import { completeColors } from '@poolgate/pool/branding';
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

/** Finds the look of emails: that of the app client, completed by that of the pool and that of the service. */
export function createMailBrandLookup(readBrands: () => FileBrands | undefined) {
  return (userPoolId: string, clientId: string | undefined) => {
    const brands = readBrands();
    if (brands === undefined) return undefined;
    const { service, pools, clients } = brands;
    const client = clientId === undefined ? undefined : clients.get(clientId);
    const { look, radius = DEFAULT_RADIUS_PX } = { ...service, ...pools.get(userPoolId), ...client };
    const { accent, on_accent: onAccent } = look === undefined ? {} : completeColors(look.colors);
    if (accent === undefined || onAccent === undefined) return undefined;
    const theme = look?.theme ?? 'light';
    return { accent: accent[theme], onAccent: onAccent[theme], radius };
  };
}
