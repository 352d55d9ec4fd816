/** A request is invalid or is redirected to an invalid URL. The verdict is `failed`, with the reason. */
export class BadRequestError extends Error {
  override name = 'BadRequestError';
}
