import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface GitServer {
  /** http://127.0.0.1:port; a repository's URL is its folder below it, with `/.git`. */
  url: string;
  /** Method, path and query of each request so far. */
  requests: string[];
  /** Holds requests until it is called with `false`. */
  hold(isHeld: boolean): void;
  close(): Promise<void>;
}

/** Serves the repositories below a folder through Git's http-backend. @param login required `user:password` */
export async function startGitServer(folder: string, login?: string): Promise<GitServer> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  const requests: string[] = [];
  let held: (() => void)[] | undefined;
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method} ${request.url}`);
    if (held) await new Promise<void>((resolve) => held!.push(resolve));
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    if (login && given !== login) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no');
      return;
    }
    const { pathname, search } = new URL(request.url!, 'http://git.test');
    const child = spawn(backend, {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'],
        GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        REMOTE_USER: login?.split(':')[0],
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    let status = 200;
    for (const line of output.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name === 'Status') status = parseInt(value);
      else if (name) response.setHeader(name, value);
    }
    response.writeHead(status).end(output.subarray(end + 4));
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hold(isHeld) {
      const waiting = held ?? [];
      held = isHeld ? waiting : undefined;
      if (!isHeld) waiting.forEach((go) => go());
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
