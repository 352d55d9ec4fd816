import type { FailureReason } from '#src/domain/errors.js';

/** What a page says of a request that was not answered as hoped. */
interface FailureText {
  title: string;
  /** What has happened. */
  explanation: string;
  /** What to do, in order. */
  advice: readonly string[];
}

const BY_REASON: Record<FailureReason, FailureText> = {
  database: {
    title: 'Temporarily unavailable',
    explanation: 'The database is unavailable. This page cannot be shown, and webhooks return 503.',
    advice: [
      'Wait a moment. No run is lost: accepted runs continue automatically.',
      'If this persists, contact an operator: MongoDB must be running and reachable. For details see /readyz on the operations port.',
    ],
  },
  temporal: {
    title: 'Temporarily unavailable',
    explanation: 'Temporal, which runs the tests, is unavailable. The request was not completed.',
    advice: [
      'Triggers still work: runs are accepted and start automatically when Temporal is available again. No run is lost.',
      'Go back and try again in a moment. If this persists, contact an operator: Temporal must be running and reachable.',
    ],
  },
  server: {
    title: 'Temporarily unavailable',
    explanation: 'The server is shutting down, usually for an update.',
    advice: ['Wait a moment. No run is lost: accepted runs continue automatically.'],
  },
  'stale-form': {
    title: 'Reload the page',
    explanation:
      'The form has expired or was sent from another site, so nothing was changed. This happens when you sign in again after opening a page.',
    advice: ['Go back, reload the page, and submit the form again.'],
  },
};

const BY_STATUS: Record<number, FailureText> = {
  400: {
    title: 'Bad request',
    explanation: 'The URL or the form is invalid, so nothing was changed.',
    advice: ['Check the URL. If you submitted a form, reload its page and submit it again.'],
  },
  401: {
    title: 'You are not signed in',
    explanation: 'You must sign in to see this page. Your session may have expired. Nothing was changed.',
    advice: ['Sign in, then try again.'],
  },
  403: {
    title: 'Permission denied',
    explanation: 'Your role in this project does not allow this action.',
    advice: ['Ask an owner of the project or an admin of this server for a role that does.'],
  },
  404: {
    title: 'Page not found',
    explanation:
      'The page does not exist, or you do not have access to it. Old runs are deleted when their retention ends.',
    advice: [
      'Check the URL. The response of a webhook contains the URL of its run.',
      'If the page belongs to a project that you are not a member of, ask an owner for an invitation.',
    ],
  },
  408: {
    title: 'Request timeout',
    explanation: 'The browser did not send the complete request in time.',
    advice: ['Check your connection, then try again.'],
  },
  409: {
    title: 'Conflict',
    explanation: 'The request conflicts with the current state.',
    advice: ['Reload the page to see the current state.'],
  },
  412: {
    title: 'Changed by someone else',
    explanation: 'Someone else changed this after you opened the page, so your changes were not saved.',
    advice: ['Reload the page, then make your changes again.'],
  },
  413: {
    title: 'Request too large',
    explanation: 'The request exceeds the size limit of this server, so nothing was changed.',
    advice: ['Use a smaller file, or fewer or shorter values. Go back to keep what you entered.'],
  },
  415: {
    title: 'Unsupported media type',
    explanation: 'The form or file type is not supported, so nothing was changed.',
    advice: ['Reload the page and submit its form.'],
  },
  429: {
    title: 'Too many requests',
    explanation: 'You sent too many requests in a short time.',
    advice: ['Wait a moment, then reload the page.'],
  },
  503: {
    title: 'Temporarily unavailable',
    explanation: 'The server is overloaded, or a service that it depends on is unavailable.',
    advice: ['Wait a moment, then try again. No run is lost.'],
  },
};

const FAILED: FailureText = {
  title: 'Something went wrong',
  explanation: 'An error on the server prevented this page from loading. Runs are not affected.',
  advice: [
    'Reload the page.',
    'If this persists, contact an operator with the request ID below. The server’s log lists the error under this ID.',
  ],
};
const REFUSED: FailureText = { ...BY_STATUS[400]!, title: 'Request failed' };

/** What to say of a failure. */
export function failureText(statusCode: number, reason: FailureReason | undefined): FailureText {
  if (reason) return BY_REASON[reason];
  return BY_STATUS[statusCode] ?? (statusCode >= 500 ? FAILED : REFUSED);
}
