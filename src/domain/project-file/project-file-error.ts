export interface ProjectFileProblem {
  /** From 1. */
  line: number;
  /** What is wrong and what to do. */
  message: string;
}

/** The project file is invalid; the message has one line for each problem: `file:line: problem`. */
export class ProjectFileError extends Error {
  override name = 'ProjectFileError';
  readonly problems: ProjectFileProblem[];

  constructor(fileName: string, problems: ProjectFileProblem[]) {
    const inOrder = [...problems].sort((a, b) => a.line - b.line);
    super(inOrder.map(({ line, message }) => `${fileName}:${line}: ${message}`).join('\n'));
    this.problems = inOrder;
  }
}
