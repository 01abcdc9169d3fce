import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Assembly, openAssembly } from './assembly.ts';
import { runDirected } from './directed.ts';
import { FAULTS } from './faults/index.ts';
import type { Fault } from './faults/plant.ts';
import { SETTINGS } from './modelled-service.ts';
import type { ModelledService } from './setting.ts';

const [OPTIONAL, REQUIRED] = SETTINGS;
const TRIGGERED = SETTINGS.find(({ rules }) => 'triggers' in rules) ?? assert.fail('no setting with triggers');
const MIN_FAULTS = 20;
const MIN_TRIGGER_FAULTS = 10;

describe('planted faults in the service', () => {
  let optional: Assembly;
  let required: Assembly;
  let triggered: Assembly;
  const caught: string[] = [];
  before(async () => {
    optional = await openAssembly(OPTIONAL);
    required = await openAssembly(REQUIRED);
    triggered = await openAssembly(TRIGGERED);
  });
  after(async () => {
    await optional.close();
    await required.close();
    await triggered.close();
    console.log(['Planted faults, and what the model says of each:', ...caught].join('\n'));
  });

  async function onService(
    fault: Fault,
    isPlanted: boolean,
    use: (world: ModelledService) => Promise<void>,
  ): Promise<void> {
    const assembly = fault.hasTriggers ? triggered : fault.isMfaRequired ? required : optional;
    const putBack = isPlanted ? fault.plant?.() : undefined;
    const world = await assembly.assemble(isPlanted ? fault.parts : undefined);
    try {
      await use(world);
    } finally {
      putBack?.();
      await world.service.close();
    }
  }

  for (const fault of FAULTS) {
    it(`the model finds: ${fault.name}`, async () => {
      await onService(fault, false, (world) => runDirected(world, fault.script));
      await onService(fault, true, (world) =>
        assert.rejects(runDirected(world, fault.script), (found) => {
          assert.ok(found instanceof assert.AssertionError, `not by the model: ${found}`);
          caught.push(`  ${fault.name}: ${found.message.split('\n')[0]?.slice(0, 160)}`);
          return true;
        }),
      );
    });
  }

  it('there is a fault of each of many kinds', () => {
    assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length);
    assert.ok(FAULTS.length >= MIN_FAULTS);
    assert.ok(FAULTS.filter(({ hasTriggers }) => hasTriggers).length >= MIN_TRIGGER_FAULTS);
  });
});
