import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { TabPanels } from '#src/web/components/tab-panels.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { CliTab } from './cli-tab.js';
import { WebhookTab, type WebhookOfTarget } from './webhook-tab.js';

export type OutsideTab = 'cli' | 'webhook';

interface RunFromOutsidePageProps {
  page: SignedInPage;
  project: ProjectContext & { slug: string };
  kind: TargetKind;
  target: { id: string; name: string; isArchived: boolean };
  tab: OutsideTab;
  /** The URL of the server, as callers know it. */
  publicUrl: string;
  webhook: WebhookOfTarget;
  /** Emails, for viewers who may not do this. */
  owners: readonly string[];
}

/** GET /tests/{id}/run-from-outside, or a suite's: a page, and the dialog "Run via CLI or webhook". */
export function RunFromOutsidePage(props: RunFromOutsidePageProps) {
  const { page, project, kind, target, tab, webhook } = props;
  const path = `/${kind}s/${target.id}/run-from-outside`;
  return (
    <ProjectLayout page={page} project={project} section={`${kind}s`} title={`Run “${target.name}”`}>
      <h1>Run “{target.name}” via CLI or webhook</h1>
      {target.isArchived ? (
        <p class="notice">
          This {kind} is archived and cannot be started. To restore it, import a project file that contains it.
        </p>
      ) : (
        <TabPanels
          label="Ways to start a run"
          current={`outside-${tab}`}
          panels={[
            { id: 'outside-cli', label: 'CLI', href: `${path}?tab=cli`, content: <CliTab {...props} /> },
            {
              id: 'outside-webhook',
              label: 'Webhook',
              href: `${path}?tab=webhook`,
              content: <WebhookTab {...props} webhook={webhook} />,
            },
          ]}
        />
      )}
    </ProjectLayout>
  );
}
