import { parentPort } from 'node:worker_threads';
import { checkAnswer, type CheckTask } from './check-answer.js';

/* The thread in which answers are held against what is expected (see answer-checker). */

parentPort!.on('message', (task: CheckTask) => parentPort!.postMessage(checkAnswer(task)));
parentPort!.postMessage('ready');
