import { Copy } from './components/copy.js';
import type { FailureReason } from '#src/domain/errors.js';
import { failureText } from './texts/failure-texts.js';
import { Layout } from './layout/layout.js';
import type { PageContext } from './layout/page-context.js';
import { DocsLink } from './components/docs-link.js';
import type { DocTopic } from './texts/doc-links.js';

interface ErrorPageProps {
  statusCode: number;
  /** Why, where it is known. */
  reason?: FailureReason | undefined;
  /** What exactly was wrong, in our own words. */
  detail?: string | undefined;
  /** Of a page that is temporarily unavailable: it is requested again after this many seconds. */
  retryAfterSeconds?: number | undefined;
  /** To find the request in the server's log. */
  requestId?: string | undefined;
  page?: PageContext | undefined;
}

/** What the documentation says about a status. */
const HELP: Record<number, DocTopic> = { 403: 'roles', 404: 'roles', 429: 'limits', 503: 'operations' };

/** The page of a request that was not answered as hoped: what has happened and what to do. Looks nothing up. */
export function ErrorPage(props: ErrorPageProps) {
  const { statusCode, reason, detail, retryAfterSeconds, requestId, page } = props;
  const { title, explanation, advice } = failureText(statusCode, reason);
  const help = HELP[statusCode];
  return (
    <Layout title={title} page={page} retrySeconds={retryAfterSeconds} assets={['errors.css']}>
      <div class="failure">
        <p class="failure-status">Status {statusCode}</p>
        <h1>{title}</h1>
        <p>{explanation}</p>
        {detail ? <p class="notice">{detail}</p> : null}
        <h2>What to do</h2>
        <ul>
          {advice.map((step) => (
            <li key={step}>{step}</li>
          ))}
          {help ? (
            <li>
              <DocsLink to={help} />
            </li>
          ) : null}
        </ul>
        {retryAfterSeconds ? (
          <p data-retry={retryAfterSeconds}>
            This page retries automatically every {retryAfterSeconds === 1 ? 'second' : `${retryAfterSeconds} seconds`}.
          </p>
        ) : null}
        <div class="buttons">
          {statusCode === 401 ? (
            <a class="btn btn-primary" href="/sign-in">
              Sign in
            </a>
          ) : (
            <a class="btn btn-primary" href="/">
              All projects
            </a>
          )}
        </div>
        {requestId ? (
          <>
            <h2>For support</h2>
            <p class="muted">Request ID, for the server’s log:</p>
            <Copy id="request-id" text={requestId} label="Copy ID" />
          </>
        ) : null}
      </div>
    </Layout>
  );
}
