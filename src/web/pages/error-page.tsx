import { Layout } from '../layout/layout.js';
import type { PageContext } from '../layout/viewer.js';

export interface ErrorPageProps {
  statusCode: number;
  /** Of a 503: the page loads again after this many seconds. */
  retryAfterSeconds?: number | undefined;
  /** To find the request in the server's log. */
  requestId?: string | undefined;
  page?: PageContext | undefined;
}

interface ErrorText {
  title: string;
  explanation: string;
  advice: string;
}

const NOT_FOUND: ErrorText = {
  title: 'There is nothing here',
  explanation: 'No page or run belongs to this address, or it is not open to you.',
  advice:
    'Check the address: a run’s page is named in the answer of its webhook. For a run of a project that you are no member of, ask one of its owners.',
};
const SIGNED_OUT: ErrorText = {
  title: 'You are not signed in',
  explanation: 'This page is open to members only.',
  advice: 'Sign in, then open it again.',
};
const FORBIDDEN: ErrorText = {
  title: 'This is not open to you',
  explanation: 'Your role does not allow it, or the form was not sent by a page of this server.',
  advice: 'Open the page again and try once more. For more rights ask an owner of the project, or an admin.',
};
const TOO_MANY: ErrorText = {
  title: 'Too many requests',
  explanation: 'There were too many in a short time.',
  advice: 'Wait a little, then load the page again.',
};
const UNAVAILABLE: ErrorText = {
  title: 'Not available at the moment',
  explanation: 'The server cannot read the runs: its database does not answer, or the server is shutting down.',
  advice: 'No run is lost. Operators see at /readyz what is missing.',
};
const REFUSED: ErrorText = {
  title: 'This request cannot be answered',
  explanation: 'The address or the request is malformed.',
  advice: 'Check the address, or start from the list of runs.',
};
const FAILED: ErrorText = {
  title: 'Something went wrong',
  explanation: 'This page could not be made. Runs are not affected.',
  advice: 'Load the page again. If it stays, look for the request’s id in the server’s log.',
};

const TEXTS: Record<number, ErrorText> = {
  401: SIGNED_OUT,
  403: FORBIDDEN,
  404: NOT_FOUND,
  429: TOO_MANY,
  503: UNAVAILABLE,
};

/** The page of a request that was not answered as hoped. */
export function ErrorPage({ statusCode, retryAfterSeconds, requestId, page }: ErrorPageProps) {
  const { title, explanation, advice } = textOf(statusCode);
  return (
    <Layout title={title} page={page} refreshSeconds={retryAfterSeconds}>
      <h1>{title}</h1>
      <p>{explanation}</p>
      <p>{advice}</p>
      {retryAfterSeconds ? <p>This page tries again by itself every {retryAfterSeconds} seconds.</p> : null}
      <p>
        <a href="/">Latest runs</a>
      </p>
      <p class="muted">
        Status {statusCode}
        {requestId ? (
          <>
            , request <code>{requestId}</code>
          </>
        ) : null}
      </p>
    </Layout>
  );
}

function textOf(statusCode: number): ErrorText {
  return TEXTS[statusCode] ?? (statusCode >= 500 ? FAILED : REFUSED);
}
