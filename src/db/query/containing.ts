/** Matches texts that contain `part`, ignoring case. */
export function containing(part: string): { $regex: string; $options: 'i' } {
  return { $regex: part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
}
