import { LARGEST_BODY } from './client.js';

/** What a connection's errors mean, by their codes. */
const MEANINGS: Record<string, string> = {
  ECONNREFUSED: 'nothing accepts connections there: is it running, and is the port right?',
  ECONNRESET: 'the connection was closed before the answer was complete',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  EPIPE: 'the connection was closed while the request was sent',
  ENOTFOUND: 'its name is not known (DNS): is it spelled right?',
  EAI_AGAIN: 'its name could not be looked up: the name server (DNS) did not answer',
  EHOSTUNREACH: 'there is no way to that address from the worker’s machine',
  ENETUNREACH: 'there is no way to that address from the worker’s machine',
  ETIMEDOUT: 'nothing answered at that address in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are larger than 64 KiB',
  UND_ERR_INVALID_ARG: 'it has something that cannot be sent, such as a header with a line break',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed ${insecureHint()}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate was issued by an authority that the worker does not know ${insecureHint()}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate was issued by an authority that the worker does not know ${insecureHint()}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate was issued by an authority that the worker does not know ${insecureHint()}`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EPROTO: 'it does not speak TLS (https) there, or only an old version of it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS (https) there: is it http?',
  Z_DATA_ERROR: 'the answer could not be decompressed: it is not what its Content-Encoding says',
  Z_BUF_ERROR: 'the compressed answer ends too early',
  ERR_BROTLI_DECODER_ERROR: 'the answer could not be decompressed: it is not what its Content-Encoding says',
};

function insecureHint(): string {
  return '(for a test system set insecure: true)';
}

/**
 * Why no whole answer came, in a person's words.
 * @param error what the client threw
 * @param timeoutMs of the request, when it has ended it
 */
export function troubleText(error: Error, host: string, timeoutMs: number | undefined): string {
  if (timeoutMs !== undefined) return `no whole answer came from ${host} within ${timeoutMs} ms, the request’s timeout`;
  if (error.name === 'TooLargeError')
    return `the answer is larger than ${LARGEST_BODY / 1024 / 1024} MiB, more than is read`;
  const { code = '' } = (error.cause ?? error) as NodeJS.ErrnoException;
  const meaning =
    MEANINGS[code] ??
    (error.name === 'HTTPParserError' || code.startsWith('HPE_')
      ? 'what came is no HTTP: is it the right port, and http or https?'
      : undefined) ??
    (code.startsWith('ERR_SSL') ? MEANINGS.EPROTO : undefined) ??
    (code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI') ? MEANINGS.Z_DATA_ERROR : undefined);
  return `no answer from ${host}: ${meaning ?? error.message}${code && meaning ? ` (${code})` : ''}`;
}
