import { ProviderError } from './provider-error.ts';

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
export function returnedCode(returned: URL, state: string, stated: Stated): URL {
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
