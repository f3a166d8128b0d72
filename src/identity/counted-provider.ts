import type { IdentityProvider, SignInOutcome } from './contract.ts';
import { ProviderError } from './provider-error.ts';

/**
 * The provider, with `count` called once for each sign-in that ended here: by a statement of the
 * provider, or by its error. Sign-ins that people leave at the provider count as none.
 */
export function countedProvider(
  provider: IdentityProvider,
  count: (outcome: SignInOutcome) => void,
): IdentityProvider {
  async function failing<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ProviderError) count(error.trouble);
      throw error;
    }
  }
  return {
    name: provider.name,
    begin: (redirectUrl, secrets) => failing(provider.begin(redirectUrl, secrets)),
    async finish(returned, secrets) {
      const provided = await failing(provider.finish(returned, secrets));
      count('confirmed');
      return provided;
    },
  };
}
