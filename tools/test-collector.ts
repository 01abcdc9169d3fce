/** Attributes the events of the test runner to test files, also when several files share a process. */
import { resolve } from 'node:path';
import type { EventData, run } from 'node:test';
import { splitOutput } from './file-mark.ts';
import { type Entry, formatFile } from './test-batches.ts';
import {
  addTest,
  type Counts,
  createFileRecord,
  describeError,
  type Failure,
  type FileEnd,
  type FileRecord,
  isTold,
  readError,
  sumCounts,
  type TestEvent,
  type UndocumentedFields,
} from './test-results.ts';

/** A process and the file that it currently reports on. */
interface ProcessRecord {
  readonly entry: Entry;
  readonly files: readonly FileRecord[];
  current: FileRecord | undefined;
  stdout: string;
  stderr: string;
}

/** The test runner's text for an uncaught error. */
const UNCAUGHT = /^Error: .* (?:unhandledRejection|uncaughtException) event/s;
const WHOLE_FILE = 'the whole file';
const NO_REPORT = 'its process ended without a report of its tests';

function createProcessRecord(entry: Entry): ProcessRecord {
  const files = entry.files.map(createFileRecord);
  return { entry, files, current: files.length === 1 ? files[0] : undefined, stdout: '', stderr: '' };
}

/** Collects the results of one call of the test runner. */
export class TestCollector {
  /** The reasons of skipped tests. */
  readonly skips: string[] = [];
  readonly #processes: ReadonlyMap<string, ProcessRecord>;
  readonly #onFile: (end: FileEnd) => void;

  constructor(entries: readonly Entry[], onFile: (end: FileEnd) => void) {
    this.#onFile = onFile;
    this.#processes = new Map(entries.map((entry) => [resolve(entry.path), createProcessRecord(entry)]));
  }

  listen(stream: ReturnType<typeof run>): void {
    stream.on('test:stdout', ({ file, message }) => this.#addOutput('stdout', file, message));
    stream.on('test:stderr', ({ file, message }) => this.#addOutput('stderr', file, message));
    stream.on('test:start', (data) => this.#onStart(data));
    stream.on('test:diagnostic', ({ file, message }) => this.#onDiagnostic(file, message));
    stream.on('test:pass', (data) => this.#onTest(data));
    stream.on('test:fail', (data) => this.#onTest(data));
    stream.on('test:summary', ({ file, duration_ms: milliseconds }) => this.#onSummary(file, milliseconds));
  }

  get #files(): readonly FileRecord[] {
    return [...this.#processes.values()].flatMap(({ files }) => files);
  }

  get counts(): Counts {
    return sumCounts(this.#files.map(({ counts }) => counts));
  }

  get failures(): readonly Failure[] {
    return this.#files.flatMap(({ failures }) => failures);
  }

  /** The output of each file with a failure. */
  get printed(): ReadonlyMap<string, string> {
    const failed = new Set(this.failures.map(({ file }) => file));
    const texts = new Map<string, string>();
    for (const { entry, stdout, stderr } of this.#processes.values()) {
      const [first = ''] = entry.files;
      const parts =
        entry.files.length > 1
          ? [stdout, stderr].flatMap(splitOutput)
          : [[formatFile(first), stdout + stderr] as const];
      for (const [file, text] of parts) if (failed.has(file)) texts.set(file, (texts.get(file) ?? '') + text);
    }
    return texts;
  }

  /**
   * Call it after all processes have ended. A file that began and did not end has failed. Returns, by process, the files that never began
   * because an earlier file ended the process. If the process ended before its first file, all of its files have failed.
   */
  finish(): readonly (readonly string[])[] {
    const unstarted = [...this.#processes.values()].map(({ files, stdout }) => {
      const begun = new Set(splitOutput(stdout).map(([file]) => file));
      const lost = files.filter(({ ended }) => !ended);
      for (const record of lost) if (begun.size === 0 || begun.has(record.file)) this.#failFile(record, NO_REPORT, 0);
      return lost.filter(({ ended }) => !ended).map(({ file }) => file);
    });
    return unstarted.filter(({ length }) => length > 0);
  }

  #findProcess(path: string | undefined): ProcessRecord | undefined {
    return path === undefined ? undefined : this.#processes.get(resolve(path));
  }

  #addOutput(name: 'stdout' | 'stderr', path: string, text: string): void {
    const process = this.#findProcess(path);
    if (process !== undefined) process[name] += text;
  }

  #findFile({ name, nesting, entryFile }: UndocumentedFields & { readonly name: string; readonly nesting: number }) {
    const files = this.#findProcess(entryFile)?.files ?? [];
    return nesting === 0 && files.length > 1 ? files.find(({ file }) => file === name) : undefined;
  }

  #onStart(data: EventData.TestStart & UndocumentedFields): void {
    const record = this.#findFile(data);
    const process = this.#findProcess(data.entryFile);
    if (process !== undefined && record !== undefined) process.current = record;
  }

  #onDiagnostic(path: string | undefined, message: string): void {
    const process = this.#findProcess(path);
    // Files that share a process check for uncaught errors themselves.
    if (process?.files.length === 1 && UNCAUGHT.test(message)) process.current?.uncaught.push(message);
  }

  #onTest(data: TestEvent): void {
    const own = this.#findFile(data);
    const process = this.#findProcess(data.entryFile ?? data.name);
    if (own !== undefined) this.#endSharing(own, data);
    else if (data.entryFile === undefined) this.#endProcess(process, data);
    else if (process?.current !== undefined) {
      if (data.skip !== undefined) this.skips.push(String(data.skip));
      addTest(process.current, data);
    }
  }

  /** A file ended that shares its process with others. */
  #endSharing(record: FileRecord, data: TestEvent): void {
    const error = readError(data);
    const { duration_ms: milliseconds } = data.details;
    if (error === undefined || isTold(data)) this.#endFile(record, milliseconds);
    else this.#failFile(record, describeError(error), milliseconds);
  }

  /** The runner reports a process itself only if it did not end by its tests. */
  #endProcess(process: ProcessRecord | undefined, data: TestEvent): void {
    const error = readError(data);
    if (process === undefined || error === undefined || isTold(data)) return;
    const unended = process.files.find(({ ended }) => !ended);
    const isExplained = process.files.some(({ failures }) => failures.length > 0);
    const record = unended ?? (isExplained && process.files.length > 1 ? undefined : process.files.at(-1));
    if (record === undefined) return;
    const said = record.uncaught.length > 0 ? record.uncaught.join('\n') : describeError(error);
    this.#failFile(record, said, data.details.duration_ms);
  }

  #onSummary(path: string | undefined, milliseconds: number): void {
    const process = this.#findProcess(path);
    const [record] = process?.files ?? [];
    if (process?.files.length === 1 && record !== undefined) this.#endFile(record, milliseconds);
  }

  #failFile(record: FileRecord, detail: string, milliseconds: number): void {
    record.failures.push({ file: record.file, place: `${record.file}:1:1`, name: WHOLE_FILE, detail });
    if (!record.ended) this.#endFile(record, milliseconds);
  }

  #endFile(record: FileRecord, milliseconds: number): void {
    const { file, counts, failures, uncaught } = record;
    record.ended = true;
    this.#onFile({ file, tests: counts.tests, failed: Math.max(failures.length, uncaught.length), milliseconds });
  }
}
