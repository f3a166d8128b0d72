import { ECDSA, Wallet } from 'xrpl';
import {
  genesisAddress,
  genesisSeed,
} from '../../../../src/embedded/standalone-ledger/chain/genesis.ts';
import {
  parseTransaction,
  type Transaction,
} from '../../../../src/embedded/standalone-ledger/codec/parse-transaction.ts';
import { createSeedSigner, type SeedSigner } from '../../../../src/ledger/signer.ts';

export interface SimulatedAccount {
  readonly address: string;
  readonly signer: SeedSigner;
}

/** Anchoring accounts shared by all runs, since making keys takes longer than a run. */
export const accounts: readonly SimulatedAccount[] = [1, 2, 3].map((place) => {
  const { seed, address } = Wallet.fromEntropy(Buffer.alloc(16, place));
  return { address, signer: createSeedSigner(seed ?? '') };
});

/** The last account, which signs only checkpoints. */
export const checkpointAccount = accounts[2] as SimulatedAccount;

/** Payments that fund the accounts on a new chain. */
export const fundings: readonly Transaction[] = accounts.map(({ address }, place) => {
  const genesis = Wallet.fromSeed(genesisSeed, { algorithm: ECDSA.secp256k1 });
  const payment = {
    TransactionType: 'Payment',
    Account: genesisAddress,
    Destination: address,
    Amount: '1000000000',
    Fee: '10',
    Sequence: 1 + place,
  } as const;
  return parseTransaction(genesis.sign(payment).tx_blob);
});
