import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { SETTINGS } from './settings.ts';

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:pre-sign-up';
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const listProblems = (variables: Readonly<Record<string, string>>): readonly string[] => {
  try {
    readConfiguration(variables);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems.map(({ name }) => name);
  }
};

test('a trigger is mapped to Lambda, a URL, a function or a file', () => {
  for (const target of [
    'lambda',
    'https://hooks.example.com/pre?key=1',
    'http://localhost:4000/',
    'preSignUp',
    './functions/pre.mjs#handler',
    '../pre sign-up.ts#preSignUp',
  ]) {
    const variables = { POOLGATE_TRIGGER_MAP: `${ARN}=${target}`, POOLGATE_TRIGGER_SECRET: SECRET };
    assert.deepEqual(listProblems(variables), [], target);
  }
  assert.deepEqual(listProblems({ POOLGATE_TRIGGER_MAP: `${ARN}:live=lambda,${ARN}=preSignUp` }), []);
});

test('bad entries are refused, and a URL without a signing secret', () => {
  const bad = [
    ARN,
    `${ARN}=`,
    `${ARN}=http://hooks.example.com/`,
    `${ARN}=https://user:secret@hooks.example.com/`,
    `${ARN}=https://hooks.example.com/#x`,
    `${ARN}=two words`,
    `${ARN}=./functions/pre.mjs`,
    `${ARN}=./functions/pre.mjs#`,
    `${ARN}=./functions/pre.mjs#two words`,
    `${ARN}=functions/pre.mjs#handler`,
    `${ARN}=/functions/pre.mjs#handler`,
    `${ARN}=a,${ARN}=b`,
    'arn:aws:s3:::bucket=lambda',
    '*=lambda',
    'lambda',
  ];
  for (const value of bad)
    assert.deepEqual(listProblems({ POOLGATE_TRIGGER_MAP: value }), ['POOLGATE_TRIGGER_MAP'], value);
  assert.deepEqual(listProblems({ POOLGATE_TRIGGER_MAP: `${ARN}=https://hooks.example.com/` }), [
    'POOLGATE_TRIGGER_SECRET',
  ]);
  assert.deepEqual(listProblems({ POOLGATE_TRIGGER_SECRET: 'short' }), ['POOLGATE_TRIGGER_SECRET']);
  for (const value of ['localhost', 'ftp://x', 'http://user:secret@localhost/']) {
    assert.deepEqual(listProblems({ POOLGATE_LAMBDA_ENDPOINT: value }), ['POOLGATE_LAMBDA_ENDPOINT'], value);
  }
});

test('the part after the host of a URL is not shown', () => {
  const shown = SETTINGS.triggerMap.kind.show([
    `${ARN}=https://hooks.example.com/secret-path?key=1`,
    `${ARN}-2=lambda`,
  ]);
  assert.equal(shown, `${ARN}=https://hooks.example.com/…,${ARN}-2=lambda`);
});
