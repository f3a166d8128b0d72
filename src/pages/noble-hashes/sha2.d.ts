// Served from the package of this name; see src/http/page-files.ts.
export { sha256, sha512 } from '@noble/hashes/sha2.js';
