import { Layout } from './layout.js';

export interface ErrorPageProps {
  statusCode: number;
  /** Of a 503: the page loads again after this many seconds. */
  retryAfterSeconds?: number | undefined;
  /** To find the request in the server's log. */
  requestId?: string | undefined;
}

interface ErrorText {
  title: string;
  explanation: string;
  advice: string;
}

const NOT_FOUND: ErrorText = {
  title: 'There is nothing here',
  explanation: 'No page or run belongs to this address.',
  advice: 'Check the address: a run’s page is named in the answer of its webhook.',
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

/** The page of a request that was not answered as hoped. */
export function ErrorPage({ statusCode, retryAfterSeconds, requestId }: ErrorPageProps) {
  const { title, explanation, advice } = textOf(statusCode);
  return (
    <Layout title={title} refreshSeconds={retryAfterSeconds}>
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
  if (statusCode === 404) return NOT_FOUND;
  if (statusCode === 503) return UNAVAILABLE;
  return statusCode >= 500 ? FAILED : REFUSED;
}
