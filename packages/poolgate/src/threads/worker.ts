import { parentPort } from 'node:worker_threads';
import { openSslEngine } from '@poolgate/srp/openssl';
import { runTaskRequest, type TaskRequest } from './tasks.ts';

/** The program of a computing thread: it answers one request after another and has no state. */
openSslEngine.selfTest();
parentPort?.on('message', (request: TaskRequest) => parentPort?.postMessage(runTaskRequest(request)));
