/**
 * Headers between a ledger and the next attested one on record: about three days on mainnet. The
 * service records far fewer; `ops audit verify` refuses more.
 */
export const maxLinks = 65_536;
