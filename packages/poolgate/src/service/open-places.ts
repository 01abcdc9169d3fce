import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Place } from '@poolgate/gateway';
import { type CityResponse, Reader } from 'mmdb-lib';
import { StartError } from '../process/start-error.ts';

type CityNames = NonNullable<CityResponse['city']>['names'];

/** Finds where an address probably is. */
type FindPlace = (address: string, acceptLanguage: string | undefined) => Place | undefined;

/** Reads the MaxMind DB file of `POOLGATE_GEOIP_FILE`. @throws {StartError} */
export function openPlaces(file: string): FindPlace {
  const reader = openReader(file);
  return (address, acceptLanguage) => {
    const found = findRecord(reader, address);
    const country = found?.country?.iso_code ?? found?.registered_country?.iso_code;
    if (country === undefined) return undefined;
    return { city: chooseName(found?.city?.names, acceptLanguage) ?? null, country };
  };
}

function openReader(file: string): Reader<CityResponse> {
  try {
    const reader = new Reader<CityResponse>(readFileSync(file));
    if (!/City|Country|Enterprise/.test(reader.metadata.databaseType))
      throw new TypeError(`it contains ${reader.metadata.databaseType}, not cities or countries`);
    return reader;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      'setting_refused',
      `POOLGATE_GEOIP_FILE: ${file} is not a readable MaxMind DB (${code ?? message}). Download a City or Country database, or unset the variable.`,
      error,
    );
  }
}

function findRecord(reader: Reader<CityResponse>, address: string): CityResponse | null {
  // Those of local sockets, for example.
  if (isIP(address) === 0) return null;
  try {
    return reader.get(address);
  } catch {
    // A damaged record must not fail a login.
    return null;
  }
}

function chooseName(names: CityNames | undefined, acceptLanguage = ''): string | undefined {
  if (names === undefined) return undefined;
  const wanted = acceptLanguage.split(',').map((part) => part.split(';', 1)[0]?.trim().split('-', 1)[0] ?? '');
  // The browser sends the language, so only own properties count: "constructor" is not a language.
  const known = wanted.find((language): language is keyof CityNames => Object.hasOwn(names, language)) ?? 'en';
  return names[known];
}
