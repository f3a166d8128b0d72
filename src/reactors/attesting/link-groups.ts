import type { AttestedLedger, PendingLedger } from './attesting-fold.ts';

/** Pending ledgers whose chains lead to the same signed ledger: the chains share headers. */
export interface LinkGroup {
  readonly name: string;
  readonly newestFirst: readonly PendingLedger[];
}

/** Lets groups of ledgers take turns, so that one whose headers are missing delays no other. */
export class LinkGroups {
  /** Names of tried groups in the order of their last attempts. */
  #tried: readonly string[] = [];

  /** All groups: those not tried yet from the newest on, then those tried longest ago. */
  inTurn(
    pending: readonly PendingLedger[],
    nextOf: (ledger: PendingLedger) => AttestedLedger | null,
  ): readonly LinkGroup[] {
    const newestFirst = pending.toSorted((a, b) => b.ledgerIndex - a.ledgerIndex);
    const grouped = Map.groupBy(
      newestFirst,
      (ledger) => `${ledger.ledgerId} ${nextOf(ledger)?.attestedIndex ?? 'none'}`,
    );
    this.#tried = this.#tried.filter((name) => grouped.has(name));
    const groups = [...grouped].map(([name, ledgers]) => ({ name, newestFirst: ledgers }));
    const place = ({ name }: LinkGroup) => this.#tried.indexOf(name);
    return groups.sort((a, b) => place(a) - place(b));
  }

  noteTried({ name }: LinkGroup): void {
    this.#tried = [...this.#tried.filter((other) => other !== name), name];
  }
}
