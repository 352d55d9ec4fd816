import type { ComponentChildren } from 'preact';
import { Tabs } from '../../components/tabs.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';

const TABS = {
  account: { label: 'Your account', href: '/profile' },
  sessions: { label: 'Sessions', href: '/profile/sessions' },
  tokens: { label: 'API tokens', href: '/profile/tokens' },
} as const;

type Tab = keyof typeof TABS;

export interface AccountProps {
  page: PageContext & { viewer: Viewer };
}

/** A page about the viewer himself. */
export function AccountLayout({ page, tab, children }: AccountProps & { tab: Tab; children: ComponentChildren }) {
  const tabs = (Object.keys(TABS) as Tab[]).map((name) => ({ ...TABS[name], isCurrent: name === tab }));
  return (
    <Layout page={page} title={`${TABS[tab].label} · Your profile`}>
      <div class="sub-tabs">
        <Tabs label="Your profile" tabs={tabs} />
      </div>
      <h1>{TABS[tab].label}</h1>
      {children}
    </Layout>
  );
}
