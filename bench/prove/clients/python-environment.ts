import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Python with packages of PyPI. */
export interface PythonEnvironment {
  readonly python: string;
  /** Programs that the packages install. */
  readonly programs: string;
  /** Returns the installed version of a package. */
  readVersion(name: string): Promise<string>;
}

/**
 * Installs packages from PyPI into an environment below a folder, with the interpreter in `PYTHON`, or `python3`.
 * @param folder removed by the caller
 */
export async function createPythonEnvironment(folder: string, packages: readonly string[]): Promise<PythonEnvironment> {
  const place = join(folder, 'python');
  const programs = join(place, 'bin');
  const python = join(programs, 'python');
  await run(process.env.PYTHON ?? 'python3', ['-m', 'venv', place]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  return {
    python,
    programs,
    async readVersion(name) {
      const code = 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))';
      const { stdout } = await run(python, ['-c', code, name]);
      return stdout.trim();
    },
  };
}
