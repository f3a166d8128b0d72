import { routes } from '../../../src/http/routes.ts';
import type { Json } from './closed-document.ts';

/** Finds the operation of a call and its place in the document; null if there is none. */
export function createOperationFinder(document: Json): (
  method: string,
  target: string,
) => {
  readonly place: readonly string[];
  readonly operation: Json;
} | null {
  const all = Object.entries<Json>(document.paths).flatMap(([path, item]) => {
    const prefixes = item.servers === undefined ? routes.bases : [''];
    // A tile's name has slashes, and clients may percent-encode them.
    const pattern = path
      .replace(/[.]/g, '\\.')
      .replace('{tile}', '.+')
      .replace(/\{\w+\}/g, '[^/]+');
    const form = new RegExp(`^(?:${prefixes.join('|')})${pattern}/?$`);
    return Object.entries<Json>(item)
      .filter(([name]) => name !== 'servers')
      .map(([method, operation]) => ({ form, method, place: ['paths', path, method], operation }));
  });
  // Paths without parameters match first.
  all.sort((a, b) => a.place.join().split('{').length - b.place.join().split('{').length);
  return (method, target) => {
    const path = pathOf(target);
    // GET routes answer HEAD like GET, without a body.
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    return all.find((one) => one.method === asked && one.form.test(path)) ?? null;
  };
}

/** Path of a request target in any of its forms (RFC 9112, 3.2). */
function pathOf(target: string): string {
  const absolute = /^\w+:\/\/[^/?]*([^?]*)/.exec(target);
  return absolute?.[1] ?? target.split('?', 1)[0] ?? '';
}
