import { Worker } from 'node:worker_threads';
import { UnavailableError } from '#src/domain/errors.js';
import { ProjectFileError, type ProjectFileProblem } from '#src/domain/project-file/project-file-error.js';
import { parseProjectFile, type ParsedProjectFile } from '#src/domain/project-file/project-file.js';

/*
 * Parsing a project file takes seconds for the largest one, and minutes for a hostile one. A worker thread keeps the event
 * loop free and can be terminated.
 */

export interface ParseTask {
  text: string;
  /** See parseProjectFile. */
  folder?: string | undefined;
  fileName: string;
}

export type ParseAnswer = { file: ParsedProjectFile } | { problems: ProjectFileProblem[] };

export interface ParseLimits {
  /** Timeout for one file, in ms. */
  timeoutMs: number;
  /** Most concurrent threads. */
  threads: number;
  /** Most files that wait for a thread. */
  waiting: number;
  /** The script of a thread; undefined: parse on the calling thread. */
  thread: URL | undefined;
}

/** Undefined when running from TypeScript sources, as tests do: a thread would have to load tsx first. */
const THREAD = import.meta.url.endsWith('.ts') ? undefined : new URL('./parse-thread.js', import.meta.url);

const MEMORY = { maxOldGenerationSizeMb: 512 };
const RETRY_AFTER_SECONDS = 5;
const TOO_MUCH = 'the file takes too long or too much memory to read; split it into several projects';

/** @throws ProjectFileError with all problems of the file; UnavailableError when the queue is full */
export type ProjectFileParser = (task: ParseTask) => Promise<ParsedProjectFile>;

/** Parses project files, a few at a time, each with a timeout. */
export function createProjectFileParser(limits: Partial<ParseLimits> = {}): ProjectFileParser {
  const { timeoutMs = 20_000, threads = 2, waiting = 20, thread = THREAD } = limits;
  const queue: (() => void)[] = [];
  let busy = 0;

  async function waitForThread(): Promise<void> {
    if (busy >= threads) {
      if (queue.length >= waiting)
        throw new UnavailableError('Too many project files are being read. Try again.', RETRY_AFTER_SECONDS);
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    busy++;
  }

  return async (task) => {
    await waitForThread();
    try {
      if (!thread) return parseProjectFile(task.text, task);
      const answer = await inThread(thread, task, timeoutMs);
      if ('file' in answer) return answer.file;
      throw new ProjectFileError(task.fileName, answer.problems);
    } finally {
      busy--;
      queue.shift()?.();
    }
  };
}

async function inThread(file: URL, task: ParseTask, timeoutMs: number): Promise<ParseAnswer> {
  const thread = new Worker(file, { workerData: task, resourceLimits: MEMORY });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ParseAnswer>((resolve, reject) => {
      const giveUp = () => resolve({ problems: [{ line: 1, message: TOO_MUCH }] });
      timer = setTimeout(giveUp, timeoutMs);
      thread.once('message', resolve);
      thread.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? giveUp() : reject(error),
      );
      thread.once('exit', (code) => reject(new Error(`The thread that parses project files exited with code ${code}`)));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
