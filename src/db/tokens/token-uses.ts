import type { Logger } from '#src/lib/logger.js';
import type { WebhookToken } from '#src/domain/records.js';
import type { Collections } from '#src/db/schema/collections.js';

/** Minimum interval between two recorded uses of a token. */
const EVERY_MS = 60_000;
/** Delay after which uses are written together. */
const GATHER_MS = 2000;

export type TokenUses = ReturnType<typeof createTokenUses>;

/** Records the last use of webhook tokens, after the response. */
export function createTokenUses({ webhookTokens }: Pick<Collections, 'webhookTokens'>, log: Logger) {
  /** Uses recorded by this process, which the token read by the caller may not contain yet. */
  let noted = new Map<string, number>();
  let used = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const hashes = [...used];
    used = new Set();
    noted = new Map([...noted].filter(([, at]) => Date.now() - at < EVERY_MS));
    try {
      await webhookTokens.updateMany({ _id: { $in: hashes } }, { $currentDate: { lastUsedAt: true } });
    } catch (error) {
      log.debug({ err: error }, 'could not record token uses; later uses will be recorded');
    }
  }

  return {
    note({ _id, lastUsedAt }: Pick<WebhookToken, '_id' | 'lastUsedAt'>) {
      const now = Date.now();
      const last = Math.max(noted.get(_id) ?? 0, lastUsedAt?.getTime() ?? 0);
      if (now - last < EVERY_MS) return;
      noted.set(_id, now);
      used.add(_id);
      timer ??= setTimeout(() => void write(), GATHER_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}
