import { generateSeed } from 'ripple-keypairs';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { createSeedSigner } from '../../src/ledger/signer.ts';
import { type ProgramProcess, startProgram } from './program-process.ts';

/** The standalone ledger in a process of its own. */
export interface LedgerProcess extends Pick<ProgramProcess, 'pid' | 'died' | 'stop'> {
  readonly url: string;
  /** Makes and funds accounts; tells seeds and addresses in the same order. */
  fund(count: number): Promise<FundedAccounts>;
}

export interface FundedAccounts {
  readonly seeds: readonly string[];
  readonly addresses: readonly string[];
}

const fundingXrp = 100_000;

/** `openLedgerLimit` transactions a ledger takes at the base fee; beyond that fees escalate. */
export async function startLedger(
  dataDir: string,
  { closeMs, openLedgerLimit }: { readonly closeMs: number; readonly openLedgerLimit: number },
): Promise<LedgerProcess> {
  const { pid, found, died, stop } = await startProgram({
    name: 'ledger',
    file: 'ops/run-ledger.ts',
    env: {
      DATA_DIR: dataDir,
      PORT: String(await chooseFreePort()),
      STANDALONE_CLOSE_MS: String(closeMs),
      OPEN_LEDGER_LIMIT: String(openLedgerLimit),
    },
    pattern: /^Standalone ledger at (\S+),/,
  });
  const fund = async (count: number) => {
    const seeds = Array.from({ length: count }, () => generateSeed({ algorithm: 'ed25519' }));
    const addresses = seeds.map((seed) => createSeedSigner(seed).address);
    await fundAccounts({ url: found, addresses, xrp: fundingXrp });
    return { seeds, addresses };
  };
  return { pid, url: found, died, stop, fund };
}
