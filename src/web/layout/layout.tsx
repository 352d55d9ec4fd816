import type { ComponentChildren } from 'preact';
import { assetUrl, type AssetName } from '#src/web/http/asset-files.js';
import type { PageContext, Viewer } from './page-context.js';

interface LayoutProps {
  title: string;
  page?: PageContext | undefined;
  /** The browser loads the page again after this many seconds. */
  refreshSeconds?: number | undefined;
  /** The same where no script runs, for pages that say `data-retry` (app.js). */
  retrySeconds?: number | undefined;
  /** Scripts and styles that only this page needs. */
  assets?: readonly AssetName[];
  children: ComponentChildren;
}

/** htmx runs no text as code and sets no style: the pages' policy would not let it. */
const HTMX_CONFIG = JSON.stringify({
  extensions: 'sse',
  includeIndicatorCSS: false,
  history: false,
  // Live pages reconnect soon after a server was unavailable.
  sse: { reconnectMaxDelay: 2000 },
});

/** The frame of every page; of a dialog, only its content. */
export function Layout(props: LayoutProps) {
  return props.page?.isDialog ? <DialogContent {...props} /> : <WholePage {...props} />;
}

/** What app.js shows in the page's dialog: see `data-dialog` there. */
function DialogContent({ children }: LayoutProps) {
  return <div class="dialog-content">{children}</div>;
}

function WholePage({ title, page, refreshSeconds, retrySeconds, assets = [], children }: LayoutProps) {
  const { viewer, notice } = page ?? {};
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        {viewer ? <meta name="csrf-token" content={viewer.csrfToken} /> : null}
        {refreshSeconds ? <meta http-equiv="refresh" content={String(refreshSeconds)} /> : null}
        {retrySeconds ? (
          <noscript>
            <meta http-equiv="refresh" content={String(retrySeconds)} />
          </noscript>
        ) : null}
        <title>{`${title} · Runhook`}</title>
        <script src={assetUrl('theme.js')} />
        <link rel="stylesheet" href={assetUrl('bootstrap.css')} />
        <link rel="stylesheet" href={assetUrl('runhook.css')} />
        {assets.filter(isStyle).map((name) => (
          <link key={name} rel="stylesheet" href={assetUrl(name)} />
        ))}
        <link rel="icon" type="image/svg+xml" href={assetUrl('icon.svg')} />
        {SCRIPTS.concat(assets.filter((name) => !isStyle(name))).map((name) => (
          <script key={name} src={assetUrl(name)} defer />
        ))}
      </head>
      <body>
        <a class="visually-hidden-focusable skip" href="#main">
          Skip to content
        </a>
        <Header viewer={viewer} />
        <main id="main" class="container-xl" tabindex={-1}>
          {notice ? (
            <p class="alert alert-success" role="status">
              {notice}
            </p>
          ) : null}
          {children}
        </main>
        <dialog id="dialog" aria-label="Dialog" />
      </body>
    </html>
  );
}

const SCRIPTS: AssetName[] = ['htmx.js', 'bootstrap.js', 'app.js', 'send-now.js'];

const isStyle = (name: AssetName) => name.endsWith('.css');

function Header({ viewer }: { viewer?: Viewer | undefined }) {
  return (
    <header class="site">
      <nav class="container-xl" aria-label="Runhook">
        <a class="brand" href="/">
          <img src={assetUrl('icon.svg')} alt="" width="24" height="24" />
          Runhook
        </a>
        {viewer ? <a href="/">Projects</a> : null}
        {viewer ? <a href="/api/v2/docs">API</a> : null}
        <a href="/docs">Docs</a>
        {viewer?.isAdmin ? <a href="/admin/health">Admin</a> : null}
        <div class="spacer" />
        <button type="button" class="btn btn-sm btn-link" data-theme-toggle hidden>
          Theme
        </button>
        {viewer ? <UserMenu {...viewer} /> : null}
      </nav>
    </header>
  );
}

function UserMenu({ email, csrfToken }: Viewer) {
  return (
    <>
      <a class="email" href="/profile">
        {email}
      </a>
      <form method="post" action="/sign-out">
        <input type="hidden" name="_csrf" value={csrfToken} />
        <button class="btn btn-sm btn-outline-secondary" type="submit">
          Sign out
        </button>
      </form>
    </>
  );
}
