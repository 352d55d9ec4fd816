import type { Child } from '#tools/stack/processes/child.js';

/** A period of time, in ms since the epoch; `to` is absent while it lasts. */
export interface Outage {
  name: string;
  from: number;
  to?: number;
}

/** One process of the system, which can be killed, frozen and restarted with the same data. */
export interface Member {
  name: string;
  readonly pid: number;
  /** Resolves when it is ready. @throws Error if it is not ready in time */
  start(): Promise<void>;
  /** Sends SIGKILL before it returns. Resolves when the process has exited. */
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns a description of the exit */
  terminate(): Promise<string>;
  freeze(): void;
  thaw(): void;
}

/**
 * @param launch starts the process and waits until it is ready
 * @param outages receives the periods during which it was down
 * @param onCrash called when it exits unexpectedly
 */
export function createMember(
  name: string,
  launch: () => Promise<{ child: Child }>,
  outages: Outage[],
  onCrash: (how: string) => void,
): Member {
  let child: Child | undefined;
  let shouldRun = false;
  let outage: Outage | undefined;

  const running = () => {
    if (!child) throw new Error(`${name} has not been started`);
    return child;
  };
  const breakDown = () => {
    if (outage) return;
    outage = { name, from: Date.now() };
    outages.push(outage);
  };
  const recover = () => {
    if (outage) outage.to = Date.now();
    outage = undefined;
  };
  /** Does nothing if it has exited. */
  const send = (signal: NodeJS.Signals) => running().process.kill(signal);

  return {
    name,
    get pid() {
      return running().pid;
    },
    async start() {
      ({ child } = await launch());
      shouldRun = true;
      recover();
      const started = child;
      void started.exited.then((how) => {
        if (shouldRun && child === started) onCrash(how);
      });
    },
    async kill() {
      shouldRun = false;
      breakDown();
      send('SIGKILL');
      await running().exited;
    },
    async terminate() {
      shouldRun = false;
      breakDown();
      send('SIGTERM');
      return await running().exited;
    },
    freeze() {
      breakDown();
      send('SIGSTOP');
    },
    thaw() {
      send('SIGCONT');
      recover();
    },
  };
}
