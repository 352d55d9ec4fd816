/** What `runhook doctor` found of one dependency. */
export interface Check {
  level: 'ok' | 'warn' | 'fail';
  /** What was looked at. */
  name: string;
  /** What was found. */
  message: string;
  /** What to do about it. */
  remedy?: string;
}
