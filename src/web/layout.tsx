import type { ComponentChildren } from 'preact';
import { assetUrl } from './asset-files.js';

/** Who looks at a page, signed in. */
export interface Viewer {
  email: string;
  /** What his forms send along. */
  csrfToken: string;
}

export interface LayoutProps {
  title: string;
  viewer?: Viewer | undefined;
  /** The browser loads the page again after this many seconds. */
  refreshSeconds?: number | undefined;
  children: ComponentChildren;
}

/** The frame of every page. */
export function Layout({ title, viewer, refreshSeconds, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refreshSeconds ? <meta http-equiv="refresh" content={String(refreshSeconds)} /> : null}
        <title>{`${title} · Runhook`}</title>
        <link rel="stylesheet" href={assetUrl('runhook.css')} />
        <link rel="icon" type="image/svg+xml" href={assetUrl('icon.svg')} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="site">
          <a href="/">
            <img src={assetUrl('icon.svg')} alt="" width="24" height="24" />
            Runhook
          </a>
          {viewer ? <SignOut {...viewer} /> : null}
        </header>
        <main id="main">{children}</main>
      </body>
    </html>
  );
}

function SignOut({ email, csrfToken }: Viewer) {
  return (
    <form method="post" action="/sign-out">
      <input type="hidden" name="_csrf" value={csrfToken} />
      <span class="muted">{email}</span>
      <button class="plain" type="submit">
        Sign out
      </button>
    </form>
  );
}
