import { Copy } from '../components/copy.js';
import { failureText, type FailureReason } from '../failure-texts.js';
import { Layout } from '../layout/layout.js';
import type { PageContext } from '../layout/viewer.js';

export interface ErrorPageProps {
  statusCode: number;
  /** Why, where it is known. */
  reason?: FailureReason | undefined;
  /** What exactly was wrong, in our own words. */
  detail?: string | undefined;
  /** Of a page that is away for a while: it is asked for again after this many seconds. */
  retryAfterSeconds?: number | undefined;
  /** To find the request in the server's log. */
  requestId?: string | undefined;
  page?: PageContext | undefined;
}

/** The page of a request that was not answered as hoped: what has happened and what to do. Looks nothing up. */
export function ErrorPage(props: ErrorPageProps) {
  const { statusCode, reason, detail, retryAfterSeconds, requestId, page } = props;
  const { title, explanation, advice } = failureText(statusCode, reason);
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
        </ul>
        {retryAfterSeconds ? (
          <p data-retry={retryAfterSeconds}>
            This page tries again by itself every {retryAfterSeconds === 1 ? 'second' : `${retryAfterSeconds} seconds`}.
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
            <h2>For whoever helps you</h2>
            <p class="muted">The id of this request, under which the server’s log has more:</p>
            <Copy id="request-id" text={requestId} label="Copy the id" />
          </>
        ) : null}
      </div>
    </Layout>
  );
}
