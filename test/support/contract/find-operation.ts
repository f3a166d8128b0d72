import { routes } from '../../../src/http/app.ts';
import type { Json } from './closed-document.ts';

/** Finds the operation of a call in the document, and where it stands there; null where there is none. */
export function createOperationFinder(document: Json): (
  method: string,
  target: string,
) => {
  readonly place: readonly string[];
  readonly operation: Json;
} | null {
  const all = Object.entries<Json>(document.paths).flatMap(([path, item]) => {
    const prefixes = item.servers === undefined ? routes.bases : [''];
    // A tile's name has slashes, which clients may as well encode.
    const pattern = path
      .replace(/[.]/g, '\\.')
      .replace('{tile}', '.+')
      .replace(/\{\w+\}/g, '[^/]+');
    const form = new RegExp(`^(?:${prefixes.join('|')})${pattern}$`);
    return Object.entries<Json>(item)
      .filter(([name]) => name !== 'servers')
      .map(([method, operation]) => ({ form, method, place: ['paths', path, method], operation }));
  });
  // A path without parameters goes before one with.
  all.sort((a, b) => a.place.join().split('{').length - b.place.join().split('{').length);
  return (method, target) => {
    const path = pathOf(target);
    // GET routes answer HEAD as they answer GET, without the body.
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    return all.find((one) => one.method === asked && one.form.test(path)) ?? null;
  };
}

/** Of a target in whichever form (RFC 9112, 3.2). */
function pathOf(target: string): string {
  const absolute = /^\w+:\/\/[^/?]*([^?]*)/.exec(target);
  return absolute?.[1] ?? target.split('?', 1)[0] ?? '';
}
