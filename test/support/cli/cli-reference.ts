import type { Command } from 'commander';

/** Describes every command as Markdown: a generated part of `docs/cli.md`. */
export function cliReference(program: Command): string {
  return leavesOf(program)
    .map(({ path, command }) => section(path, command))
    .join('\n');
}

function leavesOf(command: Command, path: string[] = []): { path: string; command: Command }[] {
  const here = [...path, command.name()];
  if (command.commands.length === 0) return [{ path: here.join(' '), command }];
  return command.commands.flatMap((child) => leavesOf(child, here));
}

function section(path: string, command: Command): string {
  const args = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const about = command.description();
  const rows = [
    ...command.registeredArguments.map((argument, index) => [args[index], argument.description]),
    ...command.options.map((option) => [option.flags, described(option)]),
  ].filter(([, text]) => text);
  const table = rows.map(([name, text]) => `| \`${name}\` | ${text!.replaceAll('|', '\\|')} |`);
  return [
    `## \`${[path, ...args].join(' ')}\``,
    '',
    `${about[0]!.toUpperCase()}${about.slice(1)}.`,
    '',
    ...(table.length > 0 ? ['| | |', '|---|---|', ...table, ''] : []),
  ].join('\n');
}

function described({ description, defaultValue, negate }: Command['options'][number]): string {
  const shown = typeof defaultValue === 'string' && !negate;
  return shown ? `${description} (default: ${defaultValue})` : description;
}
