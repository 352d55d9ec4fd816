import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Viewer } from '#src/web/layout/page-context.js';
import { Problem } from './problem.js';

/** What was wrong with a form that was sent: what is shown above it, and at its fields. */
export interface FormProblem {
  message: string;
  fields: readonly { field: string; message: string }[];
}

export interface FormProps {
  action: string;
  viewer: Viewer;
  problem?: FormProblem | undefined;
  /** Forms with files. */
  enctype?: 'multipart/form-data';
  class?: string;
  children: ComponentChildren;
}

const ShownProblem = createContext<FormProblem | undefined>(undefined);

/** A form of a signed-in person: sent by POST, with the CSRF token of the session. */
export function Form({ action, viewer, problem, enctype, class: className, children }: FormProps) {
  return (
    <form method="post" action={action} enctype={enctype} class={className}>
      <input type="hidden" name="_csrf" value={viewer.csrfToken} />
      <Problem message={problem?.message} />
      <ShownProblem.Provider value={problem}>{children}</ShownProblem.Provider>
    </form>
  );
}

/** What is wrong with a field of the form around it. @param given goes before what the form reports */
export function useProblem(name: string, given: string | undefined): string | undefined {
  const problem = useContext(ShownProblem);
  return given ?? problemOf(problem, name);
}

/** What is wrong with one field. */
export function problemOf(problem: FormProblem | undefined, name: string): string | undefined {
  return problem?.fields.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
}
