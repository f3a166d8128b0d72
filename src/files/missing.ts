/** For `catch`: returns `instead` if a file or folder is missing, and rethrows other errors. */
export function missing<Value>(instead: Value): (trouble: unknown) => Value {
  return (trouble) => {
    if (trouble instanceof Error && 'code' in trouble && trouble.code === 'ENOENT') return instead;
    throw trouble;
  };
}
