import type { Check } from '#src/domain/check.js';
import type { Action } from '#src/cli/commands/define.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { checkConfig } from '#src/cli/doctor/check-config.js';
import { checkNode } from '#src/cli/doctor/check-node.js';
import { checkPrograms } from '#src/cli/doctor/check-programs.js';
import { checkServer } from '#src/cli/doctor/check-server.js';
import type { ServerParts } from '#src/cli/server-parts.js';
import { oneLine } from '#src/cli/text.js';
import type { Color } from '#src/cli/output.js';

const COLORS: Record<Check['level'], Color> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** `runhook doctor`: runs all checks, even after a failed one. @returns 1 if a check failed */
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
    for (const runChecks of groups) {
      const found = await runChecks();
      checks.push(...found);
      if (!cli.output.asJson) for (const check of found) printCheck(cli.output, check);
    }
    if (cli.output.asJson) cli.output.json(checks);
    return checks.some(({ level }) => level === 'fail') ? EXIT.failed : EXIT.passed;
  };
}

function printCheck(output: Parameters<Action<object>>[0]['output'], { level, name, message, remedy }: Check): void {
  output.print(`${output.paint(COLORS[level], level.padEnd(4))}  ${name}: ${oneLine(message)}`);
  if (remedy) output.print(`      → ${oneLine(remedy)}`);
}
