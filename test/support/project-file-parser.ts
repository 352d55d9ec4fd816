import { createProjectFileParser, type ParseLimits } from '#src/services/projects/parse-in-thread.js';

/** Parses project files in threads that run the sources. */
export function projectFileParser(limits: Partial<ParseLimits> = {}) {
  return createProjectFileParser({ ...limits, thread: new URL('parse-thread.mjs', import.meta.url) });
}
