import type { ComponentChildren } from 'preact';
import type { DocTopic } from '#src/web/texts/doc-links.js';
import { TextArea } from '#src/web/components/form/field.js';

export interface YamlFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  problem: string | undefined;
  rows: number;
  required?: boolean;
  hint?: ComponentChildren;
  help?: DocTopic;
}

/** A list or map in YAML, with the numbers of its lines where there are scripts. */
export function YamlField({ hint, ...field }: YamlFieldProps) {
  return (
    <div class="yaml-field" data-line-numbers>
      <TextArea {...field} isCode hint={<>YAML, as in a project file. {hint}Comments are not kept.</>} />
    </div>
  );
}
