import { CheckBox, TextArea } from '#src/web/components/form/field.js';
import type { TestFieldsProps } from './test-form-values.js';

/** What only a command has. */
export function CommandFields({ values: { texts, commandIsLines }, at }: TestFieldsProps) {
  return (
    <>
      <TextArea
        name="command"
        label="Command"
        value={texts.command}
        problem={at('command')}
        rows={3}
        isCode
        help="commandTests"
        hint={
          <>
            Program and arguments, quoted as in a shell: <code>npx playwright test "my shop.spec.ts"</code>. The command
            does not run in a shell. For pipes and variables use <code>sh -c 'first && second'</code>. Exit code 0 means
            passed.
          </>
        }
      />
      <CheckBox name="commandIsLines" label="One argument per line, without quotes" isChecked={commandIsLines} />
    </>
  );
}
