/** A request cannot be carried out as it is written, or leads nowhere: the verdict is `failed`, and why. */
export class BadRequestError extends Error {
  override name = 'BadRequestError';
}
