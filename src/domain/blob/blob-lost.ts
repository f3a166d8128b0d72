/** The bytes of a blob that an event names are gone, or are no longer the same: a loss. */
export class BlobLost extends Error {}
