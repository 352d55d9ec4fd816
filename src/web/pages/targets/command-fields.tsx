import { CheckBox, TextArea } from '../../components/field.js';
import type { TestFieldsProps } from './test-form.js';

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
        hint={
          <>
            As in a shell: <code>npx playwright test "my shop.spec.ts"</code>. There is no shell behind it; for pipes
            and variables write <code>sh -c 'first && second'</code>. Exit code 0 is a pass.
          </>
        }
      />
      <CheckBox
        name="commandIsLines"
        label="One argument a line, each taken as it is (no quotes needed)"
        isChecked={commandIsLines}
      />
    </>
  );
}
