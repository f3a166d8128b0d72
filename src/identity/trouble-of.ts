import { ProviderError } from './provider-error.ts';

/** Codes of the library for a provider that gave no usable answer at all. */
const awayCodes: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/** The error of a call to a provider, without the answer of the provider. */
export async function troubleOf(error: unknown): Promise<ProviderError> {
  if (error instanceof ProviderError) return error;
  const { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } = await import(
    'openid-client'
  );
  if (isBusy(error)) return new ProviderError('away', 'HTTP_429');
  if (error instanceof ResponseBodyError) {
    // The browser brought the code: it may be forged, used or too old.
    const isCode = error.error === 'invalid_grant';
    return new ProviderError(isCode ? 'unfinished' : 'refused', error.error);
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    const [challenge] = error.cause;
    return new ProviderError('refused', challenge?.parameters.error ?? error.code);
  }
  if (error instanceof ClientError) {
    const { cause, code = null } = error;
    if (isCodeOfAnother(cause)) return new ProviderError('unfinished', 'nonce');
    const isBroken = cause instanceof Response && cause.status >= 500;
    return new ProviderError(isBroken || awayCodes.includes(code) ? 'away' : 'invalid', code);
  }
  // The library below throws its own class where it only builds an address.
  const code = codeOf(error);
  if (code?.startsWith('OAUTH_')) return new ProviderError('invalid', code);
  // `fetch` rejects with a TypeError if there is no connection.
  const isConnection = error instanceof TypeError || isTimeout(error);
  if (isConnection) return new ProviderError('away', codeOf((error as Error).cause));
  throw error;
}

/** True if the provider answered 429, with an error of OAuth or without: it says nothing about the call. */
function isBusy(error: unknown): boolean {
  const { status, cause } = error as { readonly status?: unknown; readonly cause?: unknown };
  return (cause instanceof Response ? cause.status : status) === 429;
}

/**
 * True if the statement has the nonce of another sign-in: the browser brought the code of that one,
 * and the provider does not support PKCE.
 */
function isCodeOfAnother(cause: unknown): boolean {
  const { claim, claims } = ((cause as Error | undefined)?.cause ?? {}) as {
    readonly claim?: unknown;
    readonly claims?: { readonly nonce?: unknown };
  };
  return claim === 'nonce' && typeof claims?.nonce === 'string';
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name);
}

function codeOf(cause: unknown): string | null {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : null;
}
