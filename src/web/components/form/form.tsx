import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Viewer } from '#src/web/layout/page-context.js';
import { Problem } from './problem.js';

/** Why a form was not accepted: shown above it, and at its fields. */
export interface FormProblem {
  message: string;
  fields: readonly { field: string; message: string }[];
}

/** What the fields of a form contain, by name: text, or a list for check boxes that share a name. */
export type FormValues = Readonly<Record<string, unknown>>;

/** What a form shows. */
export interface FormState<Values extends FormValues = FormValues> {
  values: Values;
  /** The saved values, when someone else has changed them since the form was opened. */
  current?: Values | undefined;
  /** Of the record that the form edits. */
  revision?: number | undefined;
  problem?: FormProblem | undefined;
}

interface FormProps {
  action: string;
  viewer: Viewer;
  /** Its fields show what this contains for their names. */
  form?: Partial<FormState> | undefined;
  /** Forms with files. */
  enctype?: 'multipart/form-data';
  class?: string | undefined;
  children: ComponentChildren;
}

const CurrentForm = createContext<Partial<FormState>>({});

/** A form of a signed-in person: sent by POST, with the CSRF token of the session. */
export function Form({ action, viewer, form = {}, enctype, class: className, children }: FormProps) {
  return (
    <form method="post" action={action} enctype={enctype} class={className}>
      <input type="hidden" name="_csrf" value={viewer.csrfToken} />
      {form.revision === undefined ? null : <input type="hidden" name="revision" value={form.revision} />}
      <Problem message={form.problem?.message} />
      <CurrentForm.Provider value={form}>{children}</CurrentForm.Provider>
    </form>
  );
}

/** The text of a field; empty if it has none. */
export function textIn(values: FormValues | undefined, name: string): string {
  const value = values?.[name];
  return typeof value === 'string' ? value : '';
}

/** The form around a field. */
export function useForm() {
  const { values, current, problem } = useContext(CurrentForm);
  return {
    text: (name: string) => textIn(values, name),
    /** Whether the check box with this value is checked. */
    isChecked: (name: string, value: string) => [values?.[name]].flat().includes(value),
    /** What is wrong with a field, or what someone else has saved in it. @param label how the field shows a text */
    problemAt(name: string, label = (text: string) => text): string | undefined {
      const reported = problemOf(problem, name);
      if (reported !== undefined || !current || !(name in current)) return reported;
      const saved = textIn(current, name).trim();
      return saved === textIn(values, name).trim() ? undefined : `Current value: ${label(saved) || 'empty'}`;
    },
  };
}

function problemOf(problem: FormProblem | undefined, name: string): string | undefined {
  return problem?.fields.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
}
