import { CheckBox, TextArea } from '#src/web/components/form/field.js';

/** The fields of command tests only. */
export function CommandFields() {
  return (
    <>
      <TextArea
        name="command"
        label="Command"
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
      <CheckBox name="commandIsLines" label="One argument per line, without quotes" />
    </>
  );
}
