import type { ComponentChildren } from 'preact';
import { Tabs } from '#src/web/components/tabs.js';
import { Layout } from '#src/web/layout/layout.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';

/** What every page of the administration is given. */
export interface AdminProps {
  page: SignedInPage;
}

const TABS = { health: 'Health', workers: 'Workers', pools: 'Pools', users: 'Users', audit: 'Audit' } as const;

interface AdminLayoutProps extends AdminProps {
  tab: keyof typeof TABS;
  /** Heading of the page; the tab's own name unless it is said. */
  title?: string;
  children: ComponentChildren;
}

/** A page for the admins of the instance, below the tabs of the administration. */
export function AdminLayout({ page, tab, title = TABS[tab], children }: AdminLayoutProps) {
  const tabs = Object.entries(TABS).map(([name, label]) => ({
    label,
    href: `/admin/${name}`,
    isCurrent: name === tab,
  }));
  return (
    <Layout page={page} title={`${title} · Admin`}>
      {page.isDialog ? null : (
        <>
          <p class="crumbs">Administration of this server</p>
          <Tabs label="Administration" tabs={tabs} />
        </>
      )}
      <h1>{title}</h1>
      {children}
    </Layout>
  );
}
