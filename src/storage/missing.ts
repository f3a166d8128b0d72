/** For `catch`: gives `instead` where a file or folder is not there; other errors stay errors. */
export function missing<Value>(instead: Value): (trouble: unknown) => Value {
  return (trouble) => {
    if (trouble instanceof Error && 'code' in trouble && trouble.code === 'ENOENT') return instead;
    throw trouble;
  };
}
