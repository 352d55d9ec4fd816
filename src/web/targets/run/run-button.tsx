import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { Form } from '#src/web/components/form/form.js';
import type { Viewer } from '#src/web/layout/page-context.js';

interface RunButtonProps {
  kind: TargetKind;
  id: string;
  name: string;
  viewer: Viewer;
  isSmall?: boolean;
}

/** Starts a run; its page follows. */
export function RunButton({ kind, id, name, viewer, isSmall = false }: RunButtonProps) {
  return (
    <Form action={`/${kind}s/${id}/run`} viewer={viewer}>
      <button
        type="submit"
        class={`btn ${isSmall ? 'btn-sm btn-outline-primary' : 'btn-primary'}`}
        aria-label={`Run ${name}`}
      >
        Run
      </button>
    </Form>
  );
}
