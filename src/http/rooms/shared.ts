import type { KnownPeople } from '../../loading/known-people.ts';
import type { StoredBytes } from '../../loading/storage-use.ts';
import type { KnownLedgers } from '../../views/known-ledgers.ts';
import type { Offload } from '../offload/offload.ts';
import type { PublicFacts } from '../pages/public-facts.ts';
import type { LedgerAbsence } from '../proofs/ledger-absence.ts';
import type { ProofSettling } from '../proofs/settle-proof.ts';
import type { HttpShares } from '../shares/create-shares.ts';

/** Parts that several rooms and the running of calls share. */
export interface Shared {
  readonly shares: HttpShares;
  readonly offload: Offload;
  readonly ledgers: KnownLedgers;
  readonly people: KnownPeople;
  /** Adds up the bytes of an organisation's stored files. */
  readonly storedBytes: StoredBytes;
  /** Networks that are known to be away. */
  readonly ledgerAbsence: LedgerAbsence;
  readonly settleProof: ProofSettling;
  /** Accounts and keys as the pages show them; null while they cannot be read. */
  readonly publicFacts: () => Promise<PublicFacts | null>;
}
