import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { STARTERS, type TriggerType } from '#src/domain/runs/run.js';
import { CheckBox, Field, Select } from '#src/web/components/form/field.js';
import { TRIGGERS } from '#src/web/components/run/run-facts.js';
import { StatusFilter } from '#src/web/components/status-filter.js';
import { withQuery } from '#src/web/http/with-query.js';

/** Which runs a list shows; what is absent does not matter. */
export interface RunsFilter {
  statuses?: readonly RunStatus[] | undefined;
  kind?: TargetKind | undefined;
  triggers?: readonly TriggerType[] | undefined;
  targetId?: string | undefined;
  /** As a field of the form has it: `2026-08-02T10:15`, UTC. */
  since?: string | undefined;
  until?: string | undefined;
}

/** The address of a project's runs with these filters. */
export function runsPath(projectId: string, filter: RunsFilter, path = `/projects/${projectId}/runs`): string {
  const { statuses: status, kind, triggers: trigger, targetId, since, until } = filter;
  return withQuery(path, { status, kind, trigger, targetId, since, until });
}

const KINDS = [
  { value: '', label: 'Tests and suites' },
  { value: 'test', label: 'Tests' },
  { value: 'suite', label: 'Suites' },
];

interface FilterFormProps {
  projectId: string;
  filter: RunsFilter;
  /** Of `targetId`. */
  targetName?: string | undefined;
}

/** What the list is of, as a form; open when something is chosen. */
export function FilterForm({ projectId, filter, targetName }: FilterFormProps) {
  const { statuses, kind, triggers, targetId, since, until } = filter;
  const path = `/projects/${projectId}/runs`;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <details class="filter-box" open={isFiltered}>
      <summary>Filter</summary>
      <form action={path} class="filters" role="search" aria-label="Runs">
        {targetId ? (
          <p class="chosen">
            Only runs of <strong>{targetName ?? 'one test or suite'}</strong>, including those in suites.{' '}
            <a href={runsPath(projectId, { ...filter, targetId: undefined })}>All runs</a>
            <input type="hidden" name="targetId" value={targetId} />
          </p>
        ) : null}
        <StatusFilter statuses={statuses} />
        <fieldset class="boxes">
          <legend>Started by</legend>
          {STARTERS.map((trigger) => (
            <CheckBox
              key={trigger}
              name="trigger"
              value={trigger}
              label={TRIGGERS[trigger]}
              isChecked={triggers?.includes(trigger) ?? false}
            />
          ))}
        </fieldset>
        <Select name="kind" label="Kind" options={KINDS} value={kind ?? ''} required={false} />
        <Field type="datetime-local" name="since" label="From (UTC)" value={since} required={false} />
        <Field type="datetime-local" name="until" label="To (UTC)" value={until} required={false} />
        <div class="buttons">
          <button type="submit" class="btn btn-outline-primary">
            Show
          </button>
          {isFiltered ? <a href={path}>Show all runs</a> : null}
        </div>
      </form>
    </details>
  );
}
