import { MAX_BODY_BYTES } from './client.js';

/** Messages by error code of a connection. */
const MEANINGS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused. Check that the service is running and that the port is correct',
  ECONNRESET: 'the connection was closed before the response was complete',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed while the request was being sent',
  ENOTFOUND: 'the host name was not found (DNS). Check its spelling',
  EAI_AGAIN: 'the host name could not be resolved: the DNS server did not respond',
  EHOSTUNREACH: 'the worker has no route to this address',
  ENETUNREACH: 'the worker has no route to this address',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are larger than 64 KiB',
  UND_ERR_INVALID_ARG: 'the request contains a value that cannot be sent, such as a header with a line break',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate is self-signed ${insecureHint()}`,
  SELF_SIGNED_CERT_IN_CHAIN: `the certificate was issued by an authority that the worker does not trust ${insecureHint()}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the certificate was issued by an authority that the worker does not trust ${insecureHint()}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the certificate was issued by an authority that the worker does not trust ${insecureHint()}`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  EPROTO: 'the server does not support TLS (https), or only an old version of it',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'the server does not support TLS (https) on this port. Check whether the URL should start with http://',
  Z_DATA_ERROR: 'the response could not be decompressed: it does not match its Content-Encoding',
  Z_BUF_ERROR: 'the compressed response ends too early',
  ERR_BROTLI_DECODER_ERROR: 'the response could not be decompressed: it does not match its Content-Encoding',
};

function insecureHint(): string {
  return '(for a test system, set insecure: true)';
}

/**
 * Explains why there is no complete response.
 * @param error the client's error
 * @param timeoutMs the request's timeout, if it was exceeded
 */
export function explainRequestError(error: Error, host: string, timeoutMs: number | undefined): string {
  if (timeoutMs !== undefined)
    return `${host} did not send a complete response within ${timeoutMs} ms, the timeout of the request`;
  if (error.name === 'TooLargeError')
    return `the response is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB, the maximum`;
  const { code = '' } = (error.cause ?? error) as NodeJS.ErrnoException;
  const meaning =
    MEANINGS[code] ??
    (error.name === 'HTTPParserError' || code.startsWith('HPE_')
      ? 'the response is not HTTP. Check the port, and whether the URL should start with http:// or https://'
      : undefined) ??
    (code.startsWith('ERR_SSL') ? MEANINGS.EPROTO : undefined) ??
    (code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI') ? MEANINGS.Z_DATA_ERROR : undefined);
  return `no response from ${host}: ${meaning ?? error.message}${code && meaning ? ` (${code})` : ''}`;
}
