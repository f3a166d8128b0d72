import { type ChargeBook, createChargeBook } from './charge-book.ts';

/**
 * The charge book of the server at a URL, always the same one: a server adds up what all connections
 * from one address cost.
 */
export type ChargeBooks = (url: string) => ChargeBook;

/** `ownPart`: see `createChargeBook`. */
export function createChargeBooks(ownPart = 1): ChargeBooks {
  const books = new Map<string, ChargeBook>();
  return (url) => {
    const book = books.get(url) ?? createChargeBook(undefined, undefined, ownPart);
    books.set(url, book);
    return book;
  };
}
