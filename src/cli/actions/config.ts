import {
  CONFIG_KEYS,
  configPath,
  maskedToken,
  readConfig,
  writeConfig,
  type ConfigKey,
  type StoredConfig,
} from '#src/cli/config-file.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { checkedToken, checkedUrl, DEFAULT_URL, tokenUrlOf, type Settings } from '#src/cli/settings.js';
import { ask } from '#src/cli/ask.js';
import type { Io } from '#src/cli/io.js';

const VARIABLES: Record<ConfigKey, string> = {
  url: 'RUNHOOK_URL',
  token: 'RUNHOOK_API_TOKEN',
  project: 'RUNHOOK_PROJECT',
};

/** `runhook config get`: the value that commands use. */
export const getConfig: Action<object, [string]> = async ({ settings, output }, _options, name) => {
  const key = knownKey(name);
  const value = shown(key, settings);
  if (output.asJson) return output.json(value ?? null);
  if (value === undefined) return output.note(`${key} is not set.`);
  output.print(value);
};

/** `runhook config set`. */
export const setConfig: Action<object, [string, string | undefined]> = async (
  { io, settings, output },
  _options,
  name,
  value,
) => {
  const key = knownKey(name);
  const given = value ?? (await ask(io, `${key}: `, { hidden: key === 'token' }));
  const stored = await readConfig(io.env);
  const { [key]: _old, ...others } = stored;
  const changed: StoredConfig = given.trim() === '' ? others : { ...others, [key]: checked(key, given.trim()) };
  const { tokenUrl: _before, ...config } = changed;
  // A changed URL does not receive the token of the previous server.
  const tokenUrl = key === 'token' ? (settings.url ?? DEFAULT_URL) : tokenUrlOf(stored);
  await writeConfig(io.env, config.token === undefined ? config : { ...config, tokenUrl });
  output.note(
    config[key] === undefined ? `${key} removed from ${configPath(io.env)}` : `${key} saved in ${configPath(io.env)}`,
  );
};

/** `runhook config list`. */
export const listConfig: Action<object> = async ({ io, settings, output }) => {
  const rows = CONFIG_KEYS.map((key) => ({ key, value: shown(key, settings), from: originOf(key, settings, io) }));
  if (output.asJson) return output.json(Object.fromEntries(rows.map(({ key, value }) => [key, value ?? null])));
  for (const { key, value, from } of rows) output.print(`${key}=${value ?? ''}${from ? `  (${from})` : ''}`);
};

function knownKey(name: string): ConfigKey {
  const key = CONFIG_KEYS.find((one) => one === name);
  if (!key) throw new UsageError(`Unknown setting "${name}". Settings: ${CONFIG_KEYS.join(', ')}`);
  return key;
}

function checked(key: ConfigKey, value: string): string {
  if (key === 'url') return checkedUrl(value);
  return key === 'token' ? checkedToken(value) : value;
}

function shown(key: ConfigKey, settings: Settings): string | undefined {
  const value = settings[key];
  return key === 'token' && value ? maskedToken(value) : value;
}

function originOf(key: ConfigKey, settings: Settings, { env }: Io): string {
  if (settings[key] === undefined) return '';
  return env[VARIABLES[key]]?.trim() ? VARIABLES[key] : configPath(env);
}
