import type { ClientAuth, Configuration } from 'openid-client';
import type { IdentityProvider, ProvidedIdentity } from './contract.ts';
import { limitedFetch } from './limited-fetch.ts';
import { ProviderError } from './provider-error.ts';
import { returnedCode } from './returned-code.ts';
import { troubleOf } from './trouble-of.ts';

export interface OpenIdOptions {
  /** URL of the issuer, `https://…`; `http://` for development on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a client without a secret, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** Name for people. */
  readonly name: string;
  /** Maximum wait for one answer of the provider; default 10 s. */
  readonly timeoutSeconds?: number;
}

/** Loaded by the first use: few services have a provider. */
const library = () => import('openid-client');

/** Time after which the provider's metadata are read again, such as a new address of its tokens. */
const metadataMs = 3_600_000;

/**
 * A provider that describes itself by OpenID Connect Discovery. It is asked at the first sign-in, so
 * the service starts without it.
 */
export function createOpenIdProvider(options: OpenIdOptions): IdentityProvider {
  let known: { readonly config: Promise<Configuration>; readonly until: number } | null = null;
  const configuration = (): Promise<Configuration> => {
    if (known !== null && performance.now() < known.until) return known.config;
    const config = discover(options);
    const asked = { config, until: performance.now() + metadataMs };
    known = asked;
    config.catch(() => {
      if (known === asked) known = null;
    });
    return config;
  };

  return {
    name: options.name,

    begin: (redirectUrl, { state, nonce, codeVerifier }) =>
      described(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        const url = buildAuthorizationUrl(await configuration(), {
          ...{ redirect_uri: redirectUrl, scope: 'openid email profile', state, nonce },
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
        // A script of the page goes there.
        if (['https:', 'http:'].includes(url.protocol)) return url;
        throw new ProviderError('invalid', 'authorization_endpoint');
      }),

    finish: (returned, { state, nonce, codeVerifier }) =>
      described(async () => {
        const { authorizationCodeGrant, fetchUserInfo } = await library();
        const config = await configuration();
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
        };
        const address = returnedCode(returned, state, config.serverMetadata());
        const tokens = await authorizationCodeGrant(config, address, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new ProviderError('invalid', 'no_id_token');
        const mustAsk = claims.email === undefined && config.serverMetadata().userinfo_endpoint;
        const more: Readonly<Record<string, unknown>> = mustAsk
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims;
        // The statement with the address is the one that may call it verified.
        const { email, email_verified } = more;
        return identityOf({ ...more, ...claims, email, email_verified });
      }),
  };
}

async function discover(options: OpenIdOptions): Promise<Configuration> {
  const { issuer, clientId, clientSecret, timeoutSeconds = 10 } = options;
  const client = await library();
  const server = new URL(issuer);
  const authentication =
    clientSecret === null ? client.None() : authenticateBy(client, clientSecret);
  return client.discovery(server, clientId, undefined, authentication, {
    timeout: timeoutSeconds,
    [client.customFetch]: limitedFetch,
    // The signature of each statement is verified, although it comes by TLS from the issuer.
    execute: [
      client.enableNonRepudiationChecks,
      ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Sends the secret in the way that the provider supports; HTTP Basic is the default of the standard. */
function authenticateBy(client: Awaited<ReturnType<typeof library>>, secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPost =
      !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
    return isPost ? post(server, ...request) : basic(server, ...request);
  };
}

function identityOf(claims: Readonly<Record<string, unknown>>): ProvidedIdentity {
  const { iss, sub, email, email_verified: isVerified, name } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') {
    throw new ProviderError('invalid', 'no_subject');
  }
  return {
    identity: { issuer: iss, subject: sub },
    email: typeof email === 'string' && isVerified === true ? email : null,
    name: typeof name === 'string' ? name : null,
  };
}

/** Runs a call of the library, and throws its errors as `ProviderError`. */
async function described<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw await troubleOf(error);
  }
}
