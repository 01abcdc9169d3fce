import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCallingCode } from './calling-code.ts';

it('a phone number begins with the code of its country, with one to three digits', () => {
  const rows = [
    ['+15551230000', '1'],
    ['+79261234567', '7'],
    ['+4930123456', '49'],
    ['+442071234567', '44'],
    ['+352621123456', '352'],
    ['+998901234567', '998'],
    ['+8801712345678', '880'],
    ['+88216', '882'],
  ];
  for (const [number = '', code] of rows) assert.equal(parseCallingCode(number), code, number);
});
