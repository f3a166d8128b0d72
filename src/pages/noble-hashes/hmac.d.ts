// Served from the package of this name; see src/http/page-files.ts.
export { hmac } from '@noble/hashes/hmac.js';
