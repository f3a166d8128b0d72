import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { Test } from 'tap';
import { createOpenIdProvider } from '../../src/identity/openid-provider.ts';

/** Statement of the provider about a person. */
export interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

interface Asked {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
    readonly provider: Provider;
  };
}

export const clientId = 'proofmark';
export const clientSecret = 'a secret of the client & : + more';

/**
 * Starts a real provider of OpenID Connect, which signs everybody in as the account that is set, by
 * its subject. Register the address to which it leads back with `register`.
 */
export async function startIdentityProvider(t: Pick<Test, 'teardown'>) {
  const accounts = new Map<string, Account>();
  let signedInAs = '';
  let provider: Provider | null = null;
  const server = createServer((request, response) => {
    if (provider === null) response.writeHead(503).end();
    else if (request.url?.startsWith('/interaction/')) finish(provider, request, response);
    else provider.callback()(request, response);
  });
  const finish = (own: Provider, request: IncomingMessage, response: ServerResponse) => {
    const isDenied = signedInAs === '';
    const result = isDenied
      ? { error: 'access_denied', error_description: 'the person declined' }
      : { login: { accountId: signedInAs } };
    own.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    /** The service's side of it. */
    identityProvider: createOpenIdProvider({
      ...{ issuer, clientId, clientSecret, name: 'Example Accounts', timeoutSeconds: 5 },
    }),
    register(redirectUrl: string) {
      provider = new Provider(issuer, configurationFor(redirectUrl, accounts));
    },
    /** Signs in as this subject from now on; an empty one declines. */
    signInAs(subject: string, account: Account = {}) {
      signedInAs = subject;
      accounts.set(subject, account);
    },
  };
}

function configurationFor(redirectUrl: string, accounts: ReadonlyMap<string, Account>) {
  return {
    clients: [
      {
        ...{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] },
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ['a key for tests'] },
    findAccount: (_: unknown, subject: string) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...accounts.get(subject) }),
    }),
    loadExistingGrant: async ({ oidc: { session, client, provider } }: Asked) => {
      const of = { accountId: session.accountId, clientId: client.clientId };
      const grant = new provider.Grant(of);
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}
