import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { it } from 'node:test';
import { isSchema, NAMED_SCHEMAS, toComponentName } from './named-schemas.ts';

/** Fields of requests, which the document shows where they are used. */
const OF_REQUESTS = ['credential-schemas.ts', 'field-schemas.ts'];

it('every schema of a response has its own name in the OpenAPI document', async () => {
  const files = (await readdir(import.meta.dirname)).filter(
    (name) => /-schemas?\.ts$/.test(name) && !OF_REQUESTS.includes(name),
  );
  assert.ok(files.length > 15, files.join());
  for (const file of files) {
    const exported = (await import(`./${file}`)) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(exported).filter(([, one]) => isSchema(one)))
      assert.equal(NAMED_SCHEMAS.get(toComponentName(name)), value, `${name} of ${file}`);
  }
});
