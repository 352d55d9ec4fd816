import { createHttp, type Http } from './api/http.js';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';
import { DEFAULT_URL, readSettings, type ConnectionOptions, type Settings } from './settings.js';
import { formatSeconds } from './text.js';
import { createVoice, type Voice, type VoiceOptions } from './output-style.js';

/** Options of all commands. */
export type CommonOptions = ConnectionOptions & VoiceOptions;

/** What actions use. */
export interface Cli {
  io: Io;
  voice: Voice;
  settings: Settings;
  userAgent: string;
  /** The API with the caller's token. @throws UsageError when there is none */
  http(): Http;
}

/** @throws UsageError when the settings are malformed */
export async function openCli(io: Io, options: CommonOptions, version: string): Promise<Cli> {
  const voice = createVoice(io, options);
  const settings = await readSettings(io.env, options);
  const userAgent = `runhook/${version} node/${process.versions.node}`;
  let http: Http | undefined;
  return {
    io,
    voice,
    settings,
    userAgent,
    http() {
      const { url = DEFAULT_URL, token } = settings;
      if (!token && settings.tokenIsFor !== undefined)
        throw new UsageError(
          `You are not signed in to ${url}. The stored token is only used for ${settings.tokenIsFor}. Run \`runhook login --url ${url}\`, or set RUNHOOK_API_TOKEN.`,
        );
      if (!token)
        throw new UsageError(
          'You are not signed in. Run `runhook login`. In CI, set RUNHOOK_URL and RUNHOOK_API_TOKEN.',
        );
      return (http ??= createHttp({ url, token, userAgent, ...reportTrouble(voice) }));
    },
  };
}

/** Reports connection problems and recovery. */
export function reportTrouble(voice: Voice) {
  return {
    onTrouble: (reason: string, patienceMs: number) =>
      voice.note(`The server is not responding (${reason}). Retrying for up to ${formatSeconds(patienceMs / 1000)}…`),
    onRecovery: () => voice.note('The server is responding again.'),
  };
}
