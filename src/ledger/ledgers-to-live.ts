/** Number of ledgers after the newest reported one that may still include a transaction. */
export const ledgersToLive = 8;
