import type { Command } from 'commander';
import { completionScript } from '#src/cli/completion/script.js';
import type { Action } from '#src/cli/commands/define.js';

/** `runhook completion`. @param program whose commands and options are completed */
export function completion(program: Command): Action<object, ['bash' | 'zsh' | 'fish']> {
  return async (cli, _options, shell) => cli.output.write(completionScript(shell, program));
}
