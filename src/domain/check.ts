/** The result of `runhook doctor` for one dependency. */
export interface Check {
  level: 'ok' | 'warn' | 'fail';
  name: string;
  message: string;
  /** What to do about a problem. */
  remedy?: string;
}
