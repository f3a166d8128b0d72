/** Form of every id made here: Crockford base32 in upper case, 26 characters, at most 2^128 - 1. */
export const ulidPattern = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';
const form = new RegExp(ulidPattern);

declare const proofIdBrand: unique symbol;
declare const workspaceIdBrand: unique symbol;
declare const organisationIdBrand: unique symbol;
declare const keyIdBrand: unique symbol;
declare const documentIdBrand: unique symbol;
declare const webhookIdBrand: unique symbol;
declare const linkIdBrand: unique symbol;
declare const personIdBrand: unique symbol;

export type ProofId = string & { readonly [proofIdBrand]: true };
export type WorkspaceId = string & { readonly [workspaceIdBrand]: true };
export type OrganisationId = string & { readonly [organisationIdBrand]: true };
export type KeyId = string & { readonly [keyIdBrand]: true };
export type DocumentId = string & { readonly [documentIdBrand]: true };
export type WebhookId = string & { readonly [webhookIdBrand]: true };
export type LinkId = string & { readonly [linkIdBrand]: true };
export type PersonId = string & { readonly [personIdBrand]: true };

export function isUlid(text: string): boolean {
  return form.test(text);
}
