import type { ComponentChildren } from 'preact';
import type { Viewer } from '../layout/viewer.js';
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

/** A form of a signed-in person: sent by POST, with his CSRF token. */
export function Form({ action, viewer, problem, enctype, class: className, children }: FormProps) {
  return (
    <form method="post" action={action} enctype={enctype} class={className}>
      <input type="hidden" name="_csrf" value={viewer.csrfToken} />
      <Problem message={problem?.message} />
      {children}
    </form>
  );
}

/** What is wrong with one field. */
export function problemOf(problem: FormProblem | undefined, name: string): string | undefined {
  return problem?.fields.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
}
