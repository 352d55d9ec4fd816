import * as client from 'openid-client';
import type { Clock } from '#src/domain/clock.js';
import { visibleLine } from '#src/domain/visible-text.js';
import { UnauthorizedError, UnavailableError } from '#src/domain/errors.js';
import { open, seal } from '#src/domain/variables/secret-box.js';

/** Timeout of one request to the provider, in seconds. */
const CALL_SECONDS = 5;
/** How long a sign-in at the provider may take, in ms. */
const VALID_MS = 10 * 60_000;
const RETRY_AFTER_SECONDS = 10;

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Display name of the provider. */
  name: string;
  /** Create accounts for users of the provider. */
  allowsSignUp: boolean;
}

/** The provider's claims about a user. */
export interface OpenIdClaims {
  issuer: string;
  subject: string;
  /** Present only if verified by the provider. */
  email?: string;
  name?: string;
}

/** The state of a sign-in, kept in a cookie while the browser is at the provider. */
interface SignInState {
  state: string;
  nonce: string;
  verifier: string;
  next: string;
  expiresAt: number;
}

/** Sign-in at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export interface OpenIdClient {
  /** @returns the provider's URL, and the encrypted state for the cookie. @throws UnavailableError */
  start(next: string): Promise<{ url: string; trip: string }>;
  /**
   * @param answer the callback URL that the provider redirected to
   * @param trip the encrypted state from the cookie
   * @throws UnauthorizedError when the provider did not identify the user; UnavailableError when it does not respond
   */
  finish(answer: URL, trip: string): Promise<{ claims: OpenIdClaims; next: string }>;
}

export interface OpenIdDeps {
  publicUrl: string;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** The database's clock: a sign-in may begin on one server and end on another. */
  clock: Clock;
}

/** Discovery runs at the first sign-in, because the provider may be unavailable when the server starts. */
export function createOpenIdClient(settings: OpenIdConfig, { publicUrl, secretKeys, clock }: OpenIdDeps): OpenIdClient {
  const { issuer, clientId, clientSecret } = settings;
  const redirectUri = `${publicUrl}/auth/oidc/callback`;
  let discovered: Promise<client.Configuration> | undefined;

  function configuration(): Promise<client.Configuration> {
    discovered ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: CALL_SECONDS,
        execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      })
      .catch((cause: unknown) => {
        discovered = undefined;
        throw unavailable(cause);
      });
    return discovered;
  }

  return {
    async start(next) {
      const config = await configuration();
      const trip: SignInState = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        next,
        expiresAt: clock.now().getTime() + VALID_MS,
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: trip.state,
        nonce: trip.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(trip.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, trip: seal(secretKeys, JSON.stringify(trip)) };
    },

    async finish(answer, encrypted) {
      const { state, nonce, verifier, next } = decryptState(secretKeys, encrypted, clock.now());
      const config = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const { iss, sub, ...claims } = tokens.claims()!;
        // Many providers return the email from the UserInfo endpoint only.
        const more = claims.email === undefined ? await client.fetchUserInfo(config, tokens.access_token, sub) : {};
        return { claims: { issuer: iss, subject: sub, ...profileOf({ ...claims, ...more }) }, next };
      } catch (error) {
        throw isUnavailable(error) ? unavailable(error) : refused(error);
      }
    },
  };
}

function profileOf({ email, email_verified, name }: Record<string, unknown>): Pick<OpenIdClaims, 'email' | 'name'> {
  return {
    ...(typeof email === 'string' && email_verified === true ? { email } : {}),
    ...(typeof name === 'string' ? { name: visibleLine(name) } : {}),
  };
}

/** @throws UnauthorizedError when the cookie is invalid or expired */
function decryptState(secretKeys: readonly Buffer[], encrypted: string, now: Date): SignInState {
  let trip: SignInState;
  try {
    trip = JSON.parse(open(secretKeys, encrypted)) as SignInState;
  } catch (cause) {
    throw refused(cause);
  }
  if (trip.expiresAt < now.getTime()) throw refused(new Error('The sign-in took too long.'));
  return trip;
}

/** Whether the provider did not respond in time. */
function isUnavailable(error: unknown): boolean {
  const isTimeout = error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT';
  return isTimeout || (error instanceof TypeError && error.message === 'fetch failed');
}

function refused(cause: unknown): UnauthorizedError {
  return new UnauthorizedError('The sign-in provider did not confirm your identity in time. Try again.', { cause });
}

function unavailable(cause: unknown): UnavailableError {
  return new UnavailableError('The sign-in provider is not responding. Try again later.', RETRY_AFTER_SECONDS, {
    cause,
  });
}
