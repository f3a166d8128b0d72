import type { LedgerGateway } from '../../src/ledger/contract.ts';

/** A gateway whose fees can be older than the crowd in the open ledger. */
export interface StaleFees {
  /** Shows the base fee until the next ledger, as if the server was asked before others came. */
  hold(): void;
  of(real: LedgerGateway): LedgerGateway;
}

export function staleFees(): StaleFees {
  let heldAt = -1;
  let tipIndex = () => -1;
  return {
    hold() {
      heldAt = tipIndex();
    },
    of(real) {
      tipIndex = () => {
        const status = real.current();
        return status.connected ? status.tip.index : -1;
      };
      return {
        ...real,
        current() {
          const status = real.current();
          if (!status.connected || status.tip.index > heldAt) return status;
          const { baseFeeDrops } = status;
          return { ...status, openLedgerFeeDrops: baseFeeDrops, queueFeeDrops: baseFeeDrops };
        },
      };
    },
  };
}
