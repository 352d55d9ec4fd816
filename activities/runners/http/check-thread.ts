import { parentPort } from 'node:worker_threads';
import { checkResponse, type CheckTask } from './check-response.js';

/* Entry point of the threads that check responses (see response-checker). */

parentPort!.on('message', (task: CheckTask) => parentPort!.postMessage(checkResponse(task)));
parentPort!.postMessage('ready');
