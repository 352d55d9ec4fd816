import type { Check } from '#src/domain/check.js';
import { ApiError, reasonOf } from '#src/cli/api/http-errors.js';
import type { Me } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { DEFAULT_URL } from '#src/cli/settings.js';

const DEADLINE_MS = 5000;

/** Checks that the server responds, is ready, and accepts the token. */
export async function checkServer(cli: Cli): Promise<Check[]> {
  const url = cli.settings.url ?? DEFAULT_URL;
  const server = await checkAnswer(url);
  const ready = await checkReadiness(cli.io.env);
  return [server, ...ready, ...(server.level === 'fail' ? [] : [await checkToken(cli)])];
}

async function checkAnswer(url: string): Promise<Check> {
  const name = 'Server';
  try {
    const { status } = await fetch(`${url}/api/v2/openapi.json`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (status === 200) return { level: 'ok', name, message: `${url} is responding` };
    const remedy =
      'Check that this is the URL of a Runhook server of this version, and check any proxy in front of it.';
    return { level: 'fail', name, message: `${url} responded with status ${status}`, remedy };
  } catch (error) {
    const remedy =
      'Check the URL with \`runhook config get url\`, that the server is running, and the network between.';
    return { level: 'fail', name, message: `${url} is not responding (${reasonOf(error)})`, remedy };
  }
}

/** Readiness is served on a second listener, which clients often cannot reach: checked only if its URL is known. */
async function checkReadiness(env: Cli['io']['env']): Promise<Check[]> {
  const opsUrl =
    env.RUNHOOK_OPS_URL ??
    (env.RUNHOOK_OPS_PORT && `http://${env.RUNHOOK_OPS_HOST ?? '127.0.0.1'}:${env.RUNHOOK_OPS_PORT}`);
  if (!opsUrl) return [];
  const name = 'Readiness';
  try {
    const response = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(DEADLINE_MS) });
    const body = (await response.json()) as { dependencies?: Record<string, { status: string; message?: string }> };
    const wrong = Object.entries(body.dependencies ?? {}).filter(([, { status }]) => status !== 'up');
    const message = wrong.map(([dependency, state]) => `${dependency} is ${state.status}: ${state.message}`).join('; ');
    if (response.status === 200 && wrong.length === 0) return [{ level: 'ok', name, message: 'ready' }];
    const level = response.status === 200 ? 'warn' : 'fail';
    return [{ level, name, message: message || `not ready (${response.status})`, remedy: 'Check the server’s log.' }];
  } catch (error) {
    const message = `${opsUrl} is not responding (${reasonOf(error)})`;
    return [
      { level: 'warn', name, message, remedy: 'Check RUNHOOK_OPS_URL, or RUNHOOK_OPS_HOST and RUNHOOK_OPS_PORT.' },
    ];
  }
}

async function checkToken(cli: Cli): Promise<Check> {
  const name = 'Token';
  if (!cli.settings.token)
    return { level: 'fail', name, message: 'not set', remedy: 'Run `runhook login`, or set RUNHOOK_API_TOKEN.' };
  try {
    const me = await cli.http().json<Me>({ path: '/me/', deadlineMs: DEADLINE_MS });
    const message = `${me.type === 'person' ? 'personal' : 'project'} token of ${me.email ?? me.name}, scopes: ${me.scopes.join(', ')}`;
    const missing = (['read', 'run'] as const).filter((scope) => !me.scopes.includes(scope));
    if (missing.length === 0) return { level: 'ok', name, message };
    const remedy = `The token lacks the scopes ${missing.join(', ')}. Create one that has them: runhook token create`;
    return { level: 'warn', name, message, remedy };
  } catch (error) {
    const remedy = error instanceof ApiError && error.status === 401 ? 'Run `runhook login`.' : undefined;
    return { level: 'fail', name, message: (error as Error).message, remedy };
  }
}
