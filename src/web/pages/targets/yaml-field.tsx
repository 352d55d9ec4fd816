import type { ComponentChildren } from 'preact';
import { TextArea } from '../../components/field.js';

export interface YamlFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  problem: string | undefined;
  rows: number;
  required?: boolean;
  hint?: ComponentChildren;
}

/** A list or map in YAML, with the numbers of its lines where there are scripts. */
export function YamlField({ hint, ...field }: YamlFieldProps) {
  return (
    <div class="yaml-field" data-line-numbers>
      <TextArea {...field} isCode hint={<>YAML, as in a project file. {hint}Comments are not kept.</>} />
    </div>
  );
}
