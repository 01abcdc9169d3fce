import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Brands } from './brands.ts';

const OWN = 'us-east-1_Pool1';
const FOREIGN = 'us-east-1_Pool2';

const brands = new Brands({
  file: {
    service: { heading: 'The service' },
    pools: new Map([[OWN, { heading: 'The pool' }]]),
    clients: new Map([
      ['own', { heading: 'Its client' }],
      ['foreign', { heading: 'A client of another pool' }],
      ['gone', { heading: 'A client that does not exist' }],
    ]),
    warnings: [],
  },
  findPoolOfClient: async (id) => ({ own: OWN, foreign: FOREIGN })[id],
  assets: '/cognito/assets/',
});

const readHeading = async (userPoolId: string, clientId?: string) =>
  (await brands.find({ userPoolId, clientId }))?.heading;

test('pages have the brand of an app client only in its pool', async () => {
  assert.equal(await readHeading(OWN, 'own'), 'Its client');
  assert.equal(await readHeading(FOREIGN, 'foreign'), 'A client of another pool');
  for (const clientId of [undefined, 'foreign', 'gone', 'unknown'])
    assert.equal(await readHeading(OWN, clientId), 'The pool', String(clientId));
  assert.equal(await readHeading(FOREIGN, 'own'), 'The service');
});

test('files of a brand are found only under the pool of its app client', async () => {
  const { style = '' } = (await brands.find({ userPoolId: OWN, clientId: 'own' })) ?? {};
  assert.equal((await brands.findFile(style))?.type, 'text/css; charset=utf-8');
  assert.equal(await brands.findFile(style.replace(OWN, FOREIGN)), undefined);
});
