import { parentPort } from 'node:worker_threads';
import { openSslEngine } from '@poolgate/srp/openssl';
import { runTaskRequest, type TaskRequest } from './tasks.ts';

/** The program of a computing thread: answers one request after the other, and keeps nothing. */
openSslEngine.selfTest();
parentPort?.on('message', (request: TaskRequest) => parentPort?.postMessage(runTaskRequest(request)));
