import type { ComponentChildren } from 'preact';
import { Tabs } from '../../components/tabs.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';

const TABS = {
  account: { label: 'Account', href: '/profile' },
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
      <h1>Your profile</h1>
      <Tabs label="Your profile" tabs={tabs} />
      {children}
    </Layout>
  );
}
