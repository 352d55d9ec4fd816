import type { ComponentChildren } from 'preact';
import { Tabs } from '#src/web/components/tabs.js';
import { Layout } from '#src/web/layout/layout.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';

const TABS = {
  account: { label: 'Your account', href: '/profile' },
  sessions: { label: 'Sessions', href: '/profile/sessions' },
  tokens: { label: 'API tokens', href: '/profile/tokens' },
} as const;

type Tab = keyof typeof TABS;

export interface AccountProps {
  page: SignedInPage;
}

/** A page of the viewer’s own account. */
export function AccountLayout({ page, tab, children }: AccountProps & { tab: Tab; children: ComponentChildren }) {
  const tabs = (Object.keys(TABS) as Tab[]).map((name) => ({ ...TABS[name], isCurrent: name === tab }));
  return (
    <Layout page={page} title={`${TABS[tab].label} · Your account`}>
      <div class="sub-tabs">
        <Tabs label="Your account" tabs={tabs} />
      </div>
      <h1>{TABS[tab].label}</h1>
      {children}
    </Layout>
  );
}
