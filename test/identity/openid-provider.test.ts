import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'tap';
import { countedProvider } from '../../src/identity/counted-provider.ts';
import { createOpenIdProvider } from '../../src/identity/openid-provider.ts';
import { ProviderError } from '../../src/identity/provider-error.ts';
import { type Lie, startLyingProvider } from '../support/lying-provider.ts';

const now = Math.floor(Date.now() / 1_000);

test('a provider that lies signs nobody in', async (t) => {
  const provider = await startLyingProvider(t);
  t.strictSame(await provider.signIn({ claims: { email_verified: true, name: 'A' } }), {
    identity: { issuer: provider.issuer, subject: 'u1' },
    email: 'a@example.org',
    name: 'A',
  });
  for (const isVerified of [undefined, false, 'true', 1]) {
    const { email } = await provider.signIn({ claims: { email_verified: isVerified } });
    t.equal(email, null, `email_verified: ${isVerified}`);
  }
  const lies: readonly (readonly [string, Lie])[] = [
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    ['an expired statement', { claims: { exp: now - 3_600 } }],
    ['no subject', { claims: { sub: undefined } }],
    ['a subject that is no text', { claims: { sub: 7 } }],
    ['a forged signature', { isForged: true }],
    ['metadata of another issuer', { metadata: { issuer: 'https://evil.example' } }],
    ['metadata of 2 MB', { bytes: 2_000_000 }],
    ['a script as its address', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }],
  ];
  for (const [name, lie] of lies) {
    await t.rejects(provider.signIn(lie), { name: 'ProviderError', trouble: 'invalid' }, name);
  }
});

test('whatever a browser brings back is never called a fault of the provider', async (t) => {
  const provider = await startLyingProvider(t);
  const returns: readonly (readonly [string, (query: URLSearchParams) => void, string | null])[] = [
    ['another state', (query) => query.set('state', 'x'), 'no_code'],
    ['no state', (query) => query.delete('state'), 'no_code'],
    ['two states', (query) => query.append('state', 'x'), 'no_code'],
    ['no code', (query) => query.delete('code'), 'no_code'],
    ['two codes', (query) => query.append('code', 'd'), 'no_code'],
    ['an endless code', (query) => query.set('code', 'c'.repeat(4_097)), 'no_code'],
    ['a code with a line break', (query) => query.set('code', 'c\n'), 'no_code'],
    ['another issuer', (query) => query.set('iss', 'https://evil.example'), 'no_code'],
    ['an error', (query) => query.set('error', 'unauthorized_client'), 'unauthorized_client'],
    ['trouble', (query) => query.set('error', 'server_error'), 'server_error'],
    ['a text as an error', (query) => query.set('error', '<b>no code</b>'), null],
  ];
  for (const [name, change, code] of returns) {
    const signingIn = provider.signIn({}, ({ searchParams }) => change(searchParams));
    await t.rejects(signingIn, { name: 'ProviderError', trouble: 'unfinished', code }, name);
  }
  const denied = provider.signIn({}, (url) => url.searchParams.set('error', 'access_denied'));
  await t.rejects(denied, { trouble: 'cancelled', code: 'access_denied' });
  const named = { metadata: { authorization_response_iss_parameter_supported: true } };
  await t.rejects(
    provider.signIn(named),
    { name: 'ProviderError', trouble: 'unfinished' },
    'the issuer is missing',
  );
  const withIssuer = (url: URL) => url.searchParams.set('iss', provider.issuer);
  t.match(await provider.signIn(named, withIssuer), { identity: { subject: 'u1' } });
  const more = (url: URL) => url.searchParams.set('id_token', 'x');
  t.match(await provider.signIn({}, more), { identity: { subject: 'u1' } }, 'it is passed over');
  const injected = provider.signIn({ claims: { nonce: 'other' } });
  await t.rejects(injected, { trouble: 'unfinished', code: 'nonce' }, 'a code of another sign-in');
});

test('a refusal of the provider is told from a code that it does not accept', async (t) => {
  const provider = await startLyingProvider(t);
  const basic = 'Basic realm="p", error="invalid_client"';
  for (const [refusal, trouble, code] of [
    [{ status: 400, error: 'invalid_grant' }, 'unfinished', 'invalid_grant'],
    [{ status: 400, error: 'unauthorized_client' }, 'refused', 'unauthorized_client'],
    [{ status: 401, error: 'invalid_client' }, 'refused', 'invalid_client'],
    [{ status: 401, error: 'invalid_client', challenge: basic }, 'refused', 'invalid_client'],
    [{ status: 500, error: 'invalid_grant' }, 'away', 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
    [{ status: 429, error: 'slow_down' }, 'away', 'HTTP_429'],
    [{ status: 429, error: '' }, 'away', 'HTTP_429'],
    [{ status: 429, error: 'e', challenge: basic }, 'away', 'HTTP_429'],
  ] as const) {
    const name = JSON.stringify(refusal);
    await t.rejects(provider.signIn({ refusal }), { name: 'ProviderError', trouble, code }, name);
  }
});

test('a provider that does not answer is away, and is asked again', async (t) => {
  const server = createServer((_request, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { issuer, clientId: 'c', clientSecret: null, name: 'P', timeoutSeconds: 1 };
  const provider = createOpenIdProvider(options);
  const secrets = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
  const begin = () => provider.begin('https://proofs.example/return', secrets);
  await t.rejects(begin(), { name: 'ProviderError', trouble: 'away' }, 'it answers 503');
  server.removeAllListeners('request').on('request', () => {});
  await t.rejects(begin(), { trouble: 'away', code: 'OAUTH_TIMEOUT' }, 'it never answers');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await t.rejects(begin(), { trouble: 'away', code: 'ECONNREFUSED' }, 'nobody listens');
});

test('each sign-in that ends is counted once, by its outcome', async (t) => {
  const secrets = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
  const url = new URL('https://proofs.example/return');
  const identity = { issuer: 'https://accounts.example', subject: 'u1' };
  let failure: Error | null = null;
  const answer = async <Result>(result: Result): Promise<Result> => {
    if (failure !== null) throw failure;
    return result;
  };
  const counted: string[] = [];
  const provider = countedProvider(
    {
      name: 'P',
      begin: () => answer(url),
      finish: () => answer({ identity, email: null, name: null }),
    },
    (outcome) => counted.push(outcome),
  );
  t.equal(provider.name, 'P');
  t.equal(await provider.begin(url.href, secrets), url);
  t.strictSame(counted, [], 'begun is not ended');
  t.match(await provider.finish(url, secrets), { identity });
  failure = new ProviderError('away', 'ECONNREFUSED');
  await t.rejects(provider.begin(url.href, secrets), failure);
  failure = new ProviderError('invalid', 'no_subject');
  await t.rejects(provider.finish(url, secrets), failure);
  failure = new Error('a fault of ours');
  await t.rejects(provider.finish(url, secrets), failure);
  t.strictSame(counted, ['confirmed', 'away', 'invalid']);
});
