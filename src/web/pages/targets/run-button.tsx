import { Form } from '../../components/form.js';
import type { Viewer } from '../../layout/viewer.js';
import type { TargetKind } from './menu-items.js';

export interface RunButtonProps {
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
