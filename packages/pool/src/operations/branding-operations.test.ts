import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import { TEST_CALL, type TestPool } from '../testing/test-pool.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');
const CSS = '.label-customizable {font-weight: 400;}';
const REFUSED = { code: 'InvalidParameterException' } as const;
const MISSING = { code: 'ResourceNotFoundException' } as const;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the look of the pages', () => {
  let pool: TestPool;
  let newEvents: TestEventPool['newEvents'];
  let ids: { readonly UserPoolId: string; readonly ClientId: string };
  before(async () => {
    ({ pool, newEvents } = await openTestEventPool('sqlite::memory:'));
    ids = { UserPoolId: pool.userPoolId, ClientId: await createClient('shop') };
    await pool.operations.createUserPoolDomain({ UserPoolId: pool.userPoolId, Domain: 'acme' }, TEST_CALL);
  });
  after(() => pool.close());

  async function createClient(ClientName: string, UserPoolId = pool.userPoolId): Promise<string> {
    const { UserPoolClient } = await pool.operations.createUserPoolClient({ UserPoolId, ClientName }, TEST_CALL);
    return UserPoolClient?.ClientId ?? assert.fail('no client');
  }

  const find = async (clientId?: string) => (await pool.embedded.findBrand(pool.userPoolId, clientId))?.brand;

  it('can be set for a client or for all, and a client without its own uses that of all', async () => {
    const { operations } = pool;
    const { UserPoolId } = ids;
    assert.deepEqual(await operations.getUICustomization(ids, TEST_CALL), { UICustomization: {} });
    const all = await operations.setUICustomization({ UserPoolId, CSS, ImageFile: PNG }, TEST_CALL);
    const { CSSVersion, CreationDate, LastModifiedDate, ...shown } = all.UICustomization;
    assert.deepEqual(shown, { UserPoolId, ClientId: 'ALL', CSS });
    assert.match(CSSVersion ?? '', /^\d{14}$/);
    assert.equal(CreationDate, LastModifiedDate);
    assert.deepEqual(await operations.getUICustomization(ids, TEST_CALL), all);
    const own = await operations.setUICustomization({ ...ids, CSS: `${CSS} ` }, TEST_CALL);
    assert.deepEqual(await operations.getUICustomization(ids, TEST_CALL), own);
    assert.equal((await find())?.logo?.light.type, 'image/png');
    assert.deepEqual(await find(ids.ClientId), {});
    const emptied = await operations.setUICustomization(ids, TEST_CALL);
    assert.deepEqual(emptied, { UICustomization: ids });
    assert.equal(await find(ids.ClientId), undefined);
    assert.deepEqual(await operations.getUICustomization(ids, TEST_CALL), all);
  });

  it('is refused if it is unsafe or unreadable, or if its pool has no pages', async () => {
    const { operations } = pool;
    const set = (input: Partial<Input<'SetUICustomization'>>) =>
      operations.setUICustomization({ ...ids, ...input }, TEST_CALL);
    await assert.rejects(set({ CSS: 'body {color: red}' }), { ...REFUSED, message: /^line 1: the selector must be/ });
    await assert.rejects(set({ ImageFile: Buffer.from('<svg/>').toString('base64') }), REFUSED);
    await assert.rejects(set({ CSS: '.submitButton-customizable {background-color: #ffe066}' }), {
      ...REFUSED,
      message: /contrast of 1\.\d\d:1/,
    });
    await assert.rejects(set({ ClientId: 'unknown' }), MISSING);
    await assert.rejects(set({ UserPoolId: 'us-east-1_unknown' }), MISSING);
    const { UserPool } = await operations.createUserPool({ PoolName: 'without pages' }, TEST_CALL);
    const UserPoolId = UserPool?.Id ?? assert.fail('no pool');
    await assert.rejects(operations.setUICustomization({ UserPoolId, CSS }, TEST_CALL), {
      ...REFUSED,
      message: /existing domain/,
    });
  });

  it('of managed login is created, shown, merged with defaults, changed and deleted, each recorded', async () => {
    const { operations } = pool;
    const Settings = { components: { primaryButton: { lightMode: { defaults: { backgroundColor: 'd9480fff' } } } } };
    const Assets = [{ Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'PNG', Bytes: PNG }] as const;
    await newEvents();
    const { ManagedLoginBranding: made } = await operations.createManagedLoginBranding(
      { ...ids, Settings, Assets },
      TEST_CALL,
    );
    assert.ok(made?.ManagedLoginBrandingId);
    const { ManagedLoginBrandingId } = made;
    assert.match(ManagedLoginBrandingId, UUID_V4);
    assert.deepEqual([made.UseCognitoProvidedValues, made.Settings, made.Assets], [false, Settings, Assets]);
    await assert.rejects(operations.createManagedLoginBranding({ ...ids, Settings }, TEST_CALL), {
      code: 'ManagedLoginBrandingExistsException',
    });
    const style = { UserPoolId: ids.UserPoolId, ManagedLoginBrandingId };
    assert.deepEqual((await operations.describeManagedLoginBranding(style, TEST_CALL)).ManagedLoginBranding, made);
    const merged = await operations.describeManagedLoginBrandingByClient(
      { ...ids, ReturnMergedResources: true },
      TEST_CALL,
    );
    const text = JSON.stringify(merged.ManagedLoginBranding?.Settings);
    assert.match(text, /"backgroundColor":"d9480fff","textColor":"ffffffff"/);
    assert.match(text, /"colorSchemeMode":"LIGHT"/);
    assert.equal((await find(ids.ClientId))?.look?.colors.accent?.light, '#d9480f');

    const more = [{ ...Assets[0], ColorMode: 'DARK' }] as const;
    const change = { categories: { global: { colorSchemeMode: 'DARK' } } };
    const { ManagedLoginBranding: changed } = await operations.updateManagedLoginBranding(
      { ...style, Settings: change, Assets: more },
      TEST_CALL,
    );
    assert.deepEqual(changed?.Settings, { ...Settings, ...change });
    assert.deepEqual(changed?.Assets, [...Assets, ...more]);
    await operations.deleteManagedLoginBranding(style, TEST_CALL);
    await assert.rejects(operations.describeManagedLoginBranding(style, TEST_CALL), MISSING);
    await assert.rejects(operations.deleteManagedLoginBranding(style, TEST_CALL), MISSING);
    assert.equal(await find(ids.ClientId), undefined);
    const events = await newEvents();
    const changes = events.map(({ type, details }) => `${type} ${details.what}`).toSorted();
    assert.deepEqual(changes, ['pool.updated branding', 'pool.updated branding_deleted', 'pool.updated branding_made']);
    const { details } = events.find((event) => event.details.what === 'branding_made') ?? assert.fail('no event');
    assert.match(String(details.warnings), /#d9480f has a contrast of 4\.\d\d:1/);
  });

  it("of managed login follows Cognito's rules for its input", async () => {
    const { operations } = pool;
    const create = (input: Partial<Input<'CreateManagedLoginBranding'>>) =>
      operations.createManagedLoginBranding({ ...ids, ...input }, TEST_CALL);
    const asset = { Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'PNG', Bytes: PNG } as const;
    await assert.rejects(create({ UseCognitoProvidedValues: true, Settings: {} }), REFUSED);
    await assert.rejects(create({ Assets: [asset, asset] }), REFUSED);
    await assert.rejects(create({ Assets: [{ ...asset, Extension: 'SVG' }] }), REFUSED);
    await assert.rejects(create({ Settings: { css: 'x' } }), { ...REFUSED, message: /^Settings\.css is unknown/ });
    await assert.rejects(create({ ClientId: 'unknown' }), MISSING);
    await assert.rejects(operations.describeManagedLoginBrandingByClient(ids, TEST_CALL), MISSING);
    const { ManagedLoginBranding } = await create({ UseCognitoProvidedValues: true });
    assert.equal(ManagedLoginBranding?.UseCognitoProvidedValues, true);
    assert.deepEqual(await find(ids.ClientId), {});
    const foreign = {
      UserPoolId: 'us-east-1_other',
      ManagedLoginBrandingId: String(ManagedLoginBranding.ManagedLoginBrandingId),
    };
    await assert.rejects(operations.updateManagedLoginBranding(foreign, TEST_CALL), MISSING);
  });

  it('of managed login is checked with the merged colors', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const ClientId = await createClient('night');
    const button = (backgroundColor: string) => ({ primaryButton: { lightMode: { defaults: { backgroundColor } } } });
    const form = (backgroundColor: string) => ({ form: { lightMode: { backgroundColor } } });
    const { ManagedLoginBranding } = await operations.createManagedLoginBranding(
      { UserPoolId, ClientId, Settings: { components: { ...form('101820ff'), ...button('93a4ffff') } } },
      TEST_CALL,
    );
    const update = (components: object) =>
      operations.updateManagedLoginBranding(
        {
          UserPoolId,
          ManagedLoginBrandingId: String(ManagedLoginBranding?.ManagedLoginBrandingId),
          Settings: { components },
        },
        TEST_CALL,
      );
    await update(button('67d7a7ff'));
    assert.equal((await find(ClientId))?.look?.colors.accent?.light, '#67d7a7');
    await assert.rejects(update(form('ffffffff')), { ...REFUSED, message: /^#67d7a7 has a contrast of 1\.\d\d:1/ });
  });

  it('of managed login has settings of limited size, across all changes', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const ClientId = await createClient('verbose');
    const words = (name: string, length: number) => ({ components: { [name]: 'x'.repeat(length) } });
    const { ManagedLoginBranding } = await operations.createManagedLoginBranding(
      { UserPoolId, ClientId, Settings: words('first', 60_000) },
      TEST_CALL,
    );
    const style = { UserPoolId, ManagedLoginBrandingId: String(ManagedLoginBranding?.ManagedLoginBrandingId) };
    await assert.rejects(
      operations.updateManagedLoginBranding({ ...style, Settings: words('second', 60_000) }, TEST_CALL),
      { code: 'LimitExceededException', message: /100000 bytes of JSON at most\. These have 120\d{3}\.$/ },
    );
  });

  it('is refused for a client that another replica just deleted', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const ids = { UserPoolId, ClientId: await createClient('gone') };
    await operations.getUICustomization(ids, TEST_CALL);
    await pool.replica().operations.deleteUserPoolClient(ids, TEST_CALL);
    await operations.getUICustomization(ids, TEST_CALL);
    await assert.rejects(operations.createManagedLoginBranding({ ...ids, Settings: {} }, TEST_CALL), MISSING);
    await assert.rejects(operations.setUICustomization({ ...ids, CSS }, TEST_CALL), MISSING);
  });

  it('is deleted with its client', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const ClientId = await createClient('short-lived');
    await operations.createManagedLoginBranding({ UserPoolId, ClientId, Settings: {} }, TEST_CALL);
    await operations.deleteUserPoolClient({ UserPoolId, ClientId }, TEST_CALL);
    assert.equal(await pool.embedded.findBrand(UserPoolId, ClientId, true), undefined);
  });
});
