import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePoolSchema, type SchemaItem, withCustomAttributes } from './pool-schema.ts';

const invalid = (message: string) => ({ code: 'InvalidParameterException', message });
const custom = (item: SchemaItem) => withCustomAttributes({}, [{ AttributeDataType: 'String', ...item }]);

describe('the constraints of an attribute', () => {
  it('limit lengths and values; an empty text is no limit', () => {
    const lengths = { StringAttributeConstraints: { MinLength: '0', MaxLength: '2048' } };
    assert.deepEqual(custom({ Name: 'team', ...lengths })['custom:team'], {
      type: 'String',
      mutable: true,
      required: false,
      minLength: 0,
      maxLength: 2048,
    });
    const values = { NumberAttributeConstraints: { MinValue: '-5', MaxValue: '' } };
    const level = custom({ Name: 'level', AttributeDataType: 'Number', ...values })['custom:level'];
    assert.deepEqual(level, { type: 'Number', mutable: true, required: false, minValue: -5 });
    const same = { StringAttributeConstraints: { MinLength: '7', MaxLength: '7' } };
    assert.equal(parsePoolSchema([{ Name: 'name', ...same }]).standardAttributes.name?.minLength, 7);
  });

  it('are whole numbers', () => {
    for (const text of ['1.5', 'x', '1e3', ' 1', '1234567890123456']) {
      const constraints = { NumberAttributeConstraints: { MaxValue: text } };
      assert.throws(
        () => custom({ Name: 'level', ...constraints }),
        invalid('level: Attribute constraints must be whole numbers.'),
        text,
      );
    }
  });

  it('leave room between the minimum and the maximum', () => {
    const message = 'x: The least value of a constraint must not be above the greatest one.';
    for (const constraints of [
      { StringAttributeConstraints: { MinLength: '8', MaxLength: '7' } },
      { NumberAttributeConstraints: { MinValue: '-1', MaxValue: '-2' } },
    ]) {
      assert.throws(() => custom({ Name: 'x', ...constraints }), invalid(message));
    }
  });

  it('allow lengths from 0 to 2048 characters', () => {
    const message = 'x: String attribute constraints must lie between 0 and 2048.';
    for (const constraints of [{ MinLength: '-1' }, { MaxLength: '2049' }, { MinLength: '2049' }]) {
      assert.throws(() => custom({ Name: 'x', StringAttributeConstraints: constraints }), invalid(message));
    }
  });
});

describe('the custom attributes of a pool', () => {
  const many = (length: number): readonly SchemaItem[] =>
    Array.from({ length }, (_, index) => ({ Name: `a${index}`, AttributeDataType: 'String' as const }));

  it('are limited to fifty, including existing ones', () => {
    const known = withCustomAttributes({}, many(50));
    assert.equal(Object.keys(known).length, 50);
    const message = 'A user pool can have 50 custom attributes at most.';
    assert.throws(() => withCustomAttributes({}, many(51)), invalid(message));
    assert.throws(() => withCustomAttributes(known, [{ Name: 'more', AttributeDataType: 'String' }]), invalid(message));
  });

  it('need a name and a type', () => {
    const noName = invalid('Invalid attribute: the name is missing.');
    for (const item of [{}, { Name: '' }]) assert.throws(() => custom(item), noName);
    const noType = 'Invalid AttributeDataType input, consider using the provided AttributeDataType enum.';
    assert.throws(() => withCustomAttributes({}, [{ Name: 'x' }]), invalid(noType));
  });
});
