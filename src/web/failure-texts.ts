import type { Away } from '../domain/errors.js';

/** What a page says of a request that was not answered as hoped. */
export interface FailureText {
  title: string;
  /** What has happened. */
  explanation: string;
  /** What to do, in order. */
  advice: readonly string[];
}

/** Why, where the status alone does not say it. */
export type FailureReason = Away | 'stale-form';

const BY_REASON: Record<FailureReason, FailureText> = {
  database: {
    title: 'Not available at the moment',
    explanation: 'The database does not answer, so this page cannot be shown and webhooks are answered with 503.',
    advice: [
      'Wait a little. No run is lost: what was accepted goes on by itself.',
      'If it stays so, tell an operator: MongoDB must be started, or be reachable. /readyz of the operators’ listener says what is missing.',
    ],
  },
  temporal: {
    title: 'Not available at the moment',
    explanation: 'Temporal, which runs the tests, does not answer. This could not be done.',
    advice: [
      'Triggers still work: runs are accepted, wait, and start by themselves when Temporal is back. No run is lost.',
      'Go back and try again in a little while. If it stays so, tell an operator: Temporal must be started, or be reachable.',
    ],
  },
  server: {
    title: 'Not available at the moment',
    explanation: 'This server is shutting down, usually for an update.',
    advice: ['Wait a little. No run is lost: what was accepted goes on by itself.'],
  },
  'stale-form': {
    title: 'Open the page again',
    explanation:
      'The form came from a page that is too old, or from another site, so nothing was done. It happens when you have signed in again since you opened the page.',
    advice: ['Go back, load the page again, and send the form once more.'],
  },
};

const BY_STATUS: Record<number, FailureText> = {
  400: {
    title: 'This could not be understood',
    explanation: 'The address or the form is malformed, so nothing was done.',
    advice: ['Check the address. If you sent a form, open its page again and send it once more.'],
  },
  401: {
    title: 'You are not signed in',
    explanation: 'This page is for people who are signed in; your session may have ended. Nothing was done.',
    advice: ['Sign in, then open the page again.'],
  },
  403: {
    title: 'This is not open to you',
    explanation: 'You may see this project, and your role does not allow this.',
    advice: ['Ask an owner of the project for more rights, or an admin of this server.'],
  },
  404: {
    title: 'There is nothing here',
    explanation: 'No page belongs to this address, or it is not open to you. Old runs are removed after a while.',
    advice: [
      'Check the address: a run’s page is named in the answer of its webhook.',
      'For something of a project that you are no member of, ask one of its owners to invite you.',
    ],
  },
  408: {
    title: 'That took too long',
    explanation: 'Your browser did not send the whole request in time.',
    advice: ['Check your connection, then try again.'],
  },
  409: {
    title: 'This does not go together',
    explanation: 'What you asked for does not go with what is there.',
    advice: ['Open the page again: it shows how things are now.'],
  },
  412: {
    title: 'Somebody was faster',
    explanation: 'Somebody else has changed this since you opened the page, so nothing was done.',
    advice: ['Open the page again, and repeat your change on what it shows.'],
  },
  413: {
    title: 'That is too much at once',
    explanation: 'What you sent is larger than this server takes, so nothing was done.',
    advice: ['Send less: a smaller file, or fewer and shorter values. Go back; what you typed is still there.'],
  },
  415: {
    title: 'This kind of file is not taken',
    explanation: 'The form or the file is of a kind that this page does not take, so nothing was done.',
    advice: ['Open the page again and send its own form.'],
  },
  429: {
    title: 'Too many requests',
    explanation: 'There were too many in a short time.',
    advice: ['Wait a little, then load the page again.'],
  },
  503: {
    title: 'Not available at the moment',
    explanation: 'The server has too much to do, or something that it needs is away.',
    advice: ['Wait a little, then try again. No run is lost.'],
  },
};

const FAILED: FailureText = {
  title: 'Something went wrong',
  explanation: 'This page could not be made. That is a fault of this server; runs are not affected.',
  advice: [
    'Load the page again.',
    'If it stays so, tell an operator the request’s id below: the server’s log says under it what happened.',
  ],
};
const REFUSED: FailureText = { ...BY_STATUS[400]!, title: 'This request cannot be answered' };

/** What to say of a failure. */
export function failureText(statusCode: number, reason: FailureReason | undefined): FailureText {
  if (reason) return BY_REASON[reason];
  return BY_STATUS[statusCode] ?? (statusCode >= 500 ? FAILED : REFUSED);
}
