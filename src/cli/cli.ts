import { createHttp, type Http } from './api/http.js';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';
import { DEFAULT_URL, readSettings, type ConnectionOptions, type Settings } from './settings.js';
import { formatSeconds } from './text.js';
import { createVoice, type Voice, type VoiceOptions } from './voice.js';

/** Options that all commands have. */
export type CommonOptions = ConnectionOptions & VoiceOptions;

/** What an action works with. */
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
          `You are not signed in at ${url}. The stored token is for ${settings.tokenIsFor} and is sent only there. Sign in: runhook login --url ${url}; or set RUNHOOK_API_TOKEN.`,
        );
      if (!token)
        throw new UsageError('You are not signed in: runhook login. In CI, set RUNHOOK_URL and RUNHOOK_API_TOKEN.');
      return (http ??= createHttp({ url, token, userAgent, ...troubleTold(voice) }));
    },
  };
}

/** Tells what goes wrong on the way, and that it is over. */
export function troubleTold(voice: Voice) {
  return {
    onTrouble: (reason: string, patienceMs: number) =>
      voice.note(
        `The server does not answer (${reason}); trying again for up to ${formatSeconds(patienceMs / 1000)} …`,
      ),
    onRecovery: () => voice.note('The server answers again.'),
  };
}
