/** A condition: the text holds `part`, in any case. */
export function containing(part: string): { $regex: string; $options: 'i' } {
  return { $regex: part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
}
