import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that can cut connections during a call. */
export interface CuttingProxy {
  port: number;
  /** Cuts every connection when a client sends data with `text`, which is not forwarded. */
  cutAt(text: string): void;
  /** Cuts every existing and new connection. */
  cutAll(): void;
  /** Forwards data again. */
  restore(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cutText: string | undefined;
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((caller) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [caller, target],
      [target, caller],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    caller.on('data', (chunk) => {
      if (cutText !== undefined && chunk.includes(cutText)) cut();
      else target.write(chunk);
    });
    target.pipe(caller);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutAt: (text) => (cutText = text),
    cutAll() {
      cutText = '';
      cut();
    },
    restore: () => (cutText = undefined),
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
