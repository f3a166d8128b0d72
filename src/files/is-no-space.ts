/** True for an error of the system that the disk, or the quota on it, is full. */
export function isNoSpace(trouble: unknown): boolean {
  if (!(trouble instanceof Error) || !('code' in trouble)) return false;
  return trouble.code === 'ENOSPC' || trouble.code === 'EDQUOT';
}
