import { parentPort, workerData } from 'node:worker_threads';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { parseProjectFile } from '#src/domain/project-file/project-file.js';
import type { ParseAnswer, ParseTask } from './parse-in-thread.js';

/* A thread of its own for one project file: see parse-in-thread.ts. */

const { text, ...from } = workerData as ParseTask;

function answer(): ParseAnswer {
  try {
    return { file: parseProjectFile(text, from) };
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    return { problems: error.problems };
  }
}

parentPort!.postMessage(answer());
