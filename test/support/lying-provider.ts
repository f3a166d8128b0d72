import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { createOpenIdProvider } from '../../src/identity/openid-provider.ts';

/** Departure of the provider from the protocol. */
export interface Lie {
  /** Changes what its statement says. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs by a key that it does not publish. */
  readonly isForged?: boolean;
  /** Changes what it says about itself. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Status of its answers, instead of a statement. */
  readonly status?: number;
  /** Its answer to the code: an error of OAuth, and perhaps a challenge (`WWW-Authenticate`). */
  readonly refusal?: {
    readonly status: number;
    readonly error: string;
    readonly challenge?: string;
  };
  /** Size of its answer about itself, in bytes. */
  readonly bytes?: number;
}

const clientId = 'proofmark';

/** Starts a provider that says what the test wants, and signs it. */
export async function startLyingProvider(t: Pick<Test, 'teardown'>) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const others = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let lie: Lie = {};
  let nonce = '';
  const server = createServer((request, response) => {
    const answer = (body: object) => {
      response.writeHead(lie.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/keys') answer({ keys: [keys.publicKey.export({ format: 'jwk' })] });
    else if (request.url === '/token' && lie.refusal !== undefined) {
      const { status, error, challenge } = lie.refusal;
      const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ error }));
    } else if (request.url === '/token') {
      const claims = { ...statement(issuer, nonce), ...lie.claims };
      const token = signed(claims, lie.isForged ? others.privateKey : keys.privateKey);
      answer({ access_token: 'a', token_type: 'bearer', id_token: token });
    } else answer({ ...metadataOf(issuer), ...lie.metadata, pad: 'x'.repeat(lie.bytes ?? 0) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { issuer, clientId, clientSecret: 's', name: 'Liar', timeoutSeconds: 2 };
  return {
    issuer,
    /** Does a sign-in by a new client, with this lie. */
    async signIn(told: Lie, change: (returned: URL) => void = () => {}) {
      lie = told;
      const secrets = {
        state: 's'.repeat(43),
        nonce: 'n'.repeat(43),
        codeVerifier: 'v'.repeat(43),
      };
      const provider = createOpenIdProvider(options);
      const url = await provider.begin('https://proofs.example/console/oidc/return', secrets);
      nonce = url.searchParams.get('nonce') ?? '';
      const challenge = createHash('sha256').update(secrets.codeVerifier).digest('base64url');
      if (url.searchParams.get('code_challenge') !== challenge) throw new Error('no PKCE');
      const returned = new URL('https://proofs.example/console/oidc/return?code=c');
      returned.searchParams.set('state', url.searchParams.get('state') ?? '');
      change(returned);
      return provider.finish(returned, secrets);
    },
  };
}

function metadataOf(issuer: string) {
  return {
    ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/keys`, id_token_signing_alg_values_supported: ['ES256'] },
  };
}

function statement(issuer: string, nonce: string) {
  const now = Math.floor(Date.now() / 1_000);
  const times = { iat: now, exp: now + 60 };
  return { iss: issuer, sub: 'u1', aud: clientId, nonce, ...times, email: 'a@example.org' };
}

function signed(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
