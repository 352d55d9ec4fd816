import type { Check } from '../../domain/check.js';
import type { Action } from '../commands/define.js';
import { EXIT } from '../exit-codes.js';
import { checkConfig } from '../doctor/config.js';
import { checkNode } from '../doctor/node.js';
import { checkPrograms } from '../doctor/programs.js';
import { checkServer } from '../doctor/server.js';
import type { ServerParts } from '../server-parts.js';
import { oneLine } from '../text.js';
import type { Colour } from '../voice.js';

const COLOURS: Record<Check['level'], Colour> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** `runhook doctor`: looks at everything, also when something is wrong already. @returns 1 when something failed */
export function doctor(parts: ServerParts): Action<object> {
  return async (cli) => {
    const groups = [
      async () => checkNode(),
      () => checkConfig(cli),
      () => checkServer(cli),
      () => parts.checkServerParts(),
      () => checkPrograms(cli.io.env),
    ];
    const checks: Check[] = [];
    for (const look of groups) {
      const found = await look();
      checks.push(...found);
      if (!cli.voice.asJson) for (const check of found) tell(cli.voice, check);
    }
    if (cli.voice.asJson) cli.voice.json(checks);
    return checks.some(({ level }) => level === 'fail') ? EXIT.failed : EXIT.passed;
  };
}

function tell(voice: Parameters<Action<object>>[0]['voice'], { level, name, message, remedy }: Check): void {
  voice.print(`${voice.paint(COLOURS[level], level.padEnd(4))}  ${name}: ${oneLine(message)}`);
  if (remedy) voice.print(`      → ${oneLine(remedy)}`);
}
