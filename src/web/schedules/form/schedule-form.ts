import { LONGEST_CATCH_UP_MS, newSchedule, SHORTEST_CATCH_UP_MS } from '#src/domain/schedules/schedule-fields.js';
import { SCHEDULE_DEFAULTS, type Schedule, type ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import { uuid } from '#src/server/api/shapes.js';
import type { ItemForm } from '#src/server/forms/item-form.js';
import { readForm, writeFields, type FormFields } from '#src/server/forms/read-form.js';
import { checkText, durationUpTo, plainText, rawText } from '#src/server/forms/text-values.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { textIn } from '#src/web/components/form/form.js';
import { findTargetId, targetNames } from './find-target.js';
import { ScheduleFormPage } from './page.js';
import { previewOf } from './preview.js';

const FIELDS: FormFields = {
  name: rawText,
  cron: plainText,
  timeZone: plainText,
  catchUpMs: durationUpTo(LONGEST_CATCH_UP_MS, SHORTEST_CATCH_UP_MS),
  paused: checkText,
  runProfileId: plainText,
};

/** The engine's list of time zones, and the one that most servers run in. */
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The form of a schedule, which names its test or suite. */
export function scheduleForm({ definitions, runs, clock }: RouteDeps): ItemForm<ScheduleDefinition> {
  return {
    kind: 'schedule',
    service: definitions.schedules,
    query: { test: uuid, suite: uuid },
    async newValues({ params, query }) {
      const kind = query.test === undefined ? 'suite' : 'test';
      const id = query[kind] as string | undefined;
      const names = await definitions[`${kind}s`].named(params.projectId, id === undefined ? [] : [id]);
      const target = names.get(id ?? '') ?? '';
      return { ...writeFields(FIELDS, { ...SCHEDULE_DEFAULTS, cron: '0 6 * * 1-5' }), kind, target };
    },
    async valuesOf(schedule) {
      const [view] = await definitions.scheduleViews.view([schedule as Schedule]);
      const { kind, name } = view!.target;
      return { ...writeFields(FIELDS, { ...schedule.definition, name: schedule.name }), kind, target: name };
    },
    async read(form, projectId) {
      const kind = form.raw('kind') === 'test' ? 'test' : 'suite';
      const found = await findTargetId(definitions, projectId, kind, form.text('target'));
      return readForm(form, newSchedule, FIELDS, {
        // Any ID lets the schema check the other fields.
        rest: { [`${kind}Id`]: found.id ?? projectId },
        problems: found.id === undefined ? [{ field: 'target', message: found.problem }] : [],
      });
    },
    async show(props) {
      const { project, form } = props;
      const [variableSets, targets] = await Promise.all([
        runs.variableSets.ofProject(project.id),
        targetNames(definitions, project.id),
      ]);
      const preview = previewOf(textIn(form.values, 'cron'), textIn(form.values, 'timeZone'), clock.now());
      return ScheduleFormPage({ ...props, variableSets, targets, timeZones: TIME_ZONES, preview });
    },
    created: (name) => `Schedule “${name}” created.`,
    saved: (name) => `“${name}” is saved.`,
  };
}
