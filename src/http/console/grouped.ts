/** A number with separators of thousands, such as `10,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
