/** What the programs of one attempt may use besides the system. All paths are absolute and contain no links. */
export interface Sandbox {
  /** Folder that is the home folder inside. */
  home: string;
  /** Folder that is /tmp inside. */
  tmp: string;
  /** Folders that can be read. */
  readable: readonly string[];
  /** Folders that can be read and written. */
  writable: readonly string[];
  /** Folders in these that are not shown. */
  hidden: readonly string[];
}

/** Where `home` and `tmp` are inside. */
export const HOME_INSIDE = '/home/test';
export const TMP_INSIDE = '/tmp';

/** Runs programs in namespaces of their own, by bubblewrap. */
export interface Sandboxes {
  /**
   * Words that start a program inside. SIGTERM to its process group reaches the program only; when the program ends, all
   * processes inside end.
   */
  via(sandbox: Sandbox, cwd: string): string[];
  /** Whether a program exists inside. @param file absolute */
  isVisible(file: string, sandbox: Sandbox): boolean;
}
