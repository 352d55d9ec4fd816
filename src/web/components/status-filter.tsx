import { RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import { CheckBox } from './form/field.js';
import { statusLabel } from './status.js';

/** Boxes to tick for the statuses that a list is of; none, all. */
export function StatusFilter({ statuses = [] }: { statuses?: readonly RunStatus[] | undefined }) {
  return (
    <fieldset class="boxes">
      <legend>Status</legend>
      {RUN_STATUSES.map((status) => (
        <CheckBox
          key={status}
          name="status"
          value={status}
          label={statusLabel(status)}
          isChecked={statuses.includes(status)}
        />
      ))}
    </fieldset>
  );
}
