import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { IdentityProvider, ProvidedIdentity } from './contract.ts';
import { ProviderError } from './provider-error.ts';
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

/** Maximum size of an answer of a provider. */
const maxBytes = 1_048_576;

/** Fetches an answer of a provider, of which it keeps at most 1 MiB in memory. */
const limitedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const { status, headers } = response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ProviderError('invalid', 'answer_too_large');
    chunks.push(chunk);
  }
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers });
};

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

/** Facts that the provider states about itself. */
interface Stated {
  readonly issuer: string;
  /** True if each address names the issuer (RFC 9207). */
  readonly authorization_response_iss_parameter_supported?: boolean;
}

const cancelled: readonly string[] = ['access_denied', 'login_required'];
/** Form of a code (RFC 6749, A.11), and a length that no provider needs. */
const codeForm = /^[\x20-\x7e]{1,4096}$/;

/**
 * The address at which the browser came back, with nothing but the code, the state and the issuer.
 * Anybody can write such an address, so no fault in it is the provider's: throws a `ProviderError`
 * with `cancelled` or `unfinished`.
 */
function returnedCode(returned: URL, state: string, stated: Stated): URL {
  const { searchParams } = returned;
  const error = searchParams.get('error');
  if (error !== null) {
    throw new ProviderError(cancelled.includes(error) ? 'cancelled' : 'unfinished', error);
  }
  const [code = '', ...moreCodes] = searchParams.getAll('code');
  const [given, ...moreStates] = searchParams.getAll('state');
  const issuers = searchParams.getAll('iss');
  const isNamed = stated.authorization_response_iss_parameter_supported === true;
  const isOfIssuer =
    issuers.length === 0 ? !isNamed : issuers.length === 1 && issuers[0] === stated.issuer;
  const isOnce = moreCodes.length === 0 && moreStates.length === 0;
  if (!isOnce || given !== state || !isOfIssuer || !codeForm.test(code)) {
    throw new ProviderError('unfinished', 'no_code');
  }
  const address = new URL(returned);
  address.search = `${new URLSearchParams({ code, state, ...(issuers[0] && { iss: issuers[0] }) })}`;
  return address;
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
