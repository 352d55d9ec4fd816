import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { MenuItem } from '#src/web/components/menu.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';

/** What the "..." menu of a test or suite offers the viewer. */
export function menuItems(kind: TargetKind, id: string, project: ProjectContext): MenuItem[] {
  const at = `/${kind}s/${id}`;
  const mayEdit = project.may('definitions.edit');
  return [
    ...(project.may('webhookTokens.read')
      ? [{ label: 'Run via CLI or webhook', href: `${at}/run-from-outside`, isDialog: true }]
      : []),
    ...(mayEdit ? [{ label: 'Edit', href: `${at}/edit` }] : []),
    { label: 'Runs', href: `/projects/${project.id}/runs?targetId=${id}` },
    ...(mayEdit ? [{ label: 'Archive', href: `${at}/archive`, isDialog: true, isDangerous: true }] : []),
  ];
}
