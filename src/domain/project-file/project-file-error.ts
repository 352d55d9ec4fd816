/** Something wrong in a project file. */
export interface ProjectFileProblem {
  /** From 1. */
  line: number;
  /** What is wrong and what to do. */
  message: string;
}

/** A project file cannot be used; the message has one line for each problem: `file:line: what is wrong`. */
export class ProjectFileError extends Error {
  override name = 'ProjectFileError';
  readonly problems: ProjectFileProblem[];

  constructor(fileName: string, problems: ProjectFileProblem[]) {
    const inOrder = [...problems].sort((a, b) => a.line - b.line);
    super(inOrder.map(({ line, message }) => `${fileName}:${line}: ${message}`).join('\n'));
    this.problems = inOrder;
  }
}
