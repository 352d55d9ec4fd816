/** The files of a test are not available. The verdict is `SOURCE_FAILED`, with this message. */
export class SourceError extends Error {
  override name = 'SourceError';
}

/** The attempt was stopped while its files were being prepared. */
export class SourceStoppedError extends Error {
  override name = 'SourceStoppedError';
  constructor() {
    super('The attempt was stopped while its files were being prepared');
  }
}
