import { parentPort, workerData } from 'node:worker_threads';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { parseProjectFile } from '#src/domain/project-file/project-file.js';
import type { ParseAnswer, ParseTask } from './parse-in-thread.js';

/* The worker thread of parse-in-thread.ts. */

const { text, ...source } = workerData as ParseTask;

function answer(): ParseAnswer {
  try {
    return { file: parseProjectFile(text, source) };
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    return { problems: error.problems };
  }
}

parentPort!.postMessage(answer());
