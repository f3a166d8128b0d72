/** The bytes of a blob that an event names are missing or altered: data loss. */
export class BlobLost extends Error {}
