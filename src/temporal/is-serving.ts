import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

/** Whether Temporal responds within 1.5 s. */
export async function isTemporalServing({ connection }: Temporal): Promise<boolean> {
  try {
    await withinDeadline(connection, 1500, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}
