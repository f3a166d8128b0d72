import tap, { type Test } from 'tap';

/**
 * `tap` for test files that share a process (run-together.ts): tests and teardowns are those of the file
 * under way. They run before the next file starts.
 */
let file: Test = tap;

export function enterFile(t: Test): void {
  file = t;
}

export const test = ((...given: Parameters<Test['test']>) => file.test(...given)) as Test['test'];

export default new Proxy(tap, {
  get(_, name) {
    const value = Reflect.get(file, name);
    return typeof value === 'function' ? value.bind(file) : value;
  },
});
