import * as client from 'openid-client';
import type { Clock } from '#src/domain/clock.js';
import { visibleLine } from '#src/domain/visible-text.js';
import { UnauthorizedError, UnavailableError } from '#src/domain/errors.js';
import { open, seal } from '#src/domain/variables/secret-box.js';

/** One call of the provider, in seconds. */
const CALL_SECONDS = 5;
/** How long somebody may take at the provider, in ms. */
const VALID_MS = 10 * 60_000;
const RETRY_AFTER_SECONDS = 10;

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Of the provider, for people. */
  name: string;
  /** Whether an account is made for whoever the provider knows. */
  allowsSignUp: boolean;
}

/** Who somebody is to the provider. */
export interface OpenIdClaims {
  issuer: string;
  subject: string;
  /** Only one that the provider has verified. */
  email?: string;
  name?: string;
}

/** What the browser keeps on its way to the provider and back. */
interface Trip {
  state: string;
  nonce: string;
  verifier: string;
  next: string;
  expiresAt: number;
}

/** Sign-in at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export interface OpenIdClient {
  /** @returns where the browser goes, and what it keeps meanwhile. @throws UnavailableError */
  start(next: string): Promise<{ url: string; trip: string }>;
  /**
   * @param answer the address that the provider sent the browser back to
   * @param trip what the browser has kept
   * @throws UnauthorizedError when the provider did not say who it is; UnavailableError when it does not answer
   */
  finish(answer: URL, trip: string): Promise<{ claims: OpenIdClaims; next: string }>;
}

export interface OpenIdDeps {
  publicUrl: string;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** The database's: a sign-in may begin on one server and end on another. */
  clock: Clock;
}

/** The provider is asked for its addresses at the first sign-in, not at the start: it may be away then. */
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
      const trip: Trip = {
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

    async finish(answer, kept) {
      const { state, nonce, verifier, next } = openTrip(secretKeys, kept, clock.now());
      const config = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const { iss, sub, ...told } = tokens.claims()!;
        // Many providers tell the email at this address only.
        const more = told.email === undefined ? await client.fetchUserInfo(config, tokens.access_token, sub) : {};
        return { claims: { issuer: iss, subject: sub, ...knownOf({ ...told, ...more }) }, next };
      } catch (error) {
        throw isAway(error) ? unavailable(error) : refused(error);
      }
    },
  };
}

function knownOf({ email, email_verified, name }: Record<string, unknown>): Pick<OpenIdClaims, 'email' | 'name'> {
  return {
    ...(typeof email === 'string' && email_verified === true ? { email } : {}),
    ...(typeof name === 'string' ? { name: visibleLine(name) } : {}),
  };
}

/** @throws UnauthorizedError when the browser kept nothing of ours, or took too long */
function openTrip(secretKeys: readonly Buffer[], kept: string, now: Date): Trip {
  let trip: Trip;
  try {
    trip = JSON.parse(open(secretKeys, kept)) as Trip;
  } catch (cause) {
    throw refused(cause);
  }
  if (trip.expiresAt < now.getTime()) throw refused(new Error('The sign-in took too long.'));
  return trip;
}

/** Whether the provider did not answer, or not in time. */
function isAway(error: unknown): boolean {
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
