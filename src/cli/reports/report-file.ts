import { mkdir, rm } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { UsageError } from '#src/cli/cli-error.js';

export const REPORTERS = ['inline', 'junit', 'json'] as const;
export type Reporter = (typeof REPORTERS)[number];

export interface ReportTarget {
  reporter: Reporter;
  /** Absolute; absent: stdout. */
  file?: string;
}

/**
 * Determines where the report is written. Creates the folder and deletes an earlier report, which could be mistaken for
 * the report of this run if the command is interrupted.
 * @throws UsageError before anything is started
 */
export async function openReport(
  { reporter, outputPath, json }: { reporter?: string; outputPath?: string; json?: boolean },
  cwd: string,
): Promise<ReportTarget> {
  const kind = reporter ?? (outputPath ? byExtension(outputPath) : json ? 'json' : 'inline');
  if (!isReporter(kind)) throw new UsageError(`--reporter must be one of ${REPORTERS.join(', ')}, not "${kind}"`);
  if (outputPath && kind === 'inline') throw new UsageError('--output-path requires --reporter junit or json.');
  if (!outputPath) return { reporter: kind };
  const file = resolve(cwd, outputPath);
  try {
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { force: true });
  } catch (error) {
    throw new UsageError(`Cannot write the report to ${file}: ${(error as Error).message}`);
  }
  return { reporter: kind, file };
}

const isReporter = (text: string): text is Reporter => (REPORTERS as readonly string[]).includes(text);

function byExtension(path: string): Reporter {
  return extname(path) === '.json' ? 'json' : 'junit';
}
