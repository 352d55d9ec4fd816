import { TextArea, type TextAreaProps } from '#src/web/components/form/field.js';

/** A list or map in YAML, with line numbers where scripts run. */
export function YamlField({ hint, ...field }: TextAreaProps) {
  return (
    <div class="yaml-field" data-line-numbers>
      <TextArea {...field} isCode hint={<>YAML, as in a project file. {hint}Comments are not kept.</>} />
    </div>
  );
}
