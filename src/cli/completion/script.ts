import type { Command } from 'commander';

/** A command with its subcommands and options. */
interface Node {
  /** `run list`; empty for the program. */
  path: string;
  commands: { name: string; about: string }[];
  options: { long: string; about: string; takesValue: boolean }[];
}

/** Generates a completion script for commands and options, and for files elsewhere. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const nodes = nodesOf(program);
  return { bash, zsh, fish }[shell](nodes);
}

function nodesOf(command: Command, path: string[] = []): Node[] {
  const commands = command.commands.map((child) => ({ name: child.name(), about: child.description() }));
  const options = command.options
    .filter(({ long }) => long)
    .map((option) => ({
      long: option.long!,
      about: option.description,
      takesValue: option.required || option.optional,
    }));
  const help = { long: '--help', about: 'help', takesValue: false };
  const children = command.commands.flatMap((child) => nodesOf(child, [...path, child.name()]));
  return [{ path: path.join(' '), commands, options: [...options, help] }, ...children];
}

/** The cases of a shell script that map a command's path to its completions. */
const CASES = (nodes: Node[], words: (node: Node) => string) =>
  nodes.map((node) => `    '${node.path}') words="${words(node)}" ;;`).join('\n');

const plainWords = ({ commands, options }: Node) =>
  [...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ');

const PATHS = (nodes: Node[]) => nodes.map(({ path }) => `'${path}'`).join('|');

function bash(nodes: Node[]): string {
  return `# runhook completion bash: put  eval "$(runhook completion bash)"  into ~/.bashrc
_runhook() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' longer word words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    longer="\${path:+$path }\${COMP_WORDS[i]}"
    case "$longer" in
    ${PATHS(nodes)}) path="$longer" ;;
    esac
  done
  case "$path" in
${CASES(nodes, plainWords)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _runhook runhook
`;
}

function zsh(nodes: Node[]): string {
  return `#compdef runhook
# runhook completion zsh: put  eval "$(runhook completion zsh)"  into ~/.zshrc, after compinit
_runhook() {
  local command_path='' longer word words_here=''
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    longer="\${command_path:+$command_path }\${words[i]}"
    case "$longer" in
    ${PATHS(nodes)}) command_path="$longer" ;;
    esac
  done
  case "$command_path" in
${CASES(nodes, plainWords).replaceAll('words=', 'words_here=')}
  esac
  compadd -- \${=words_here}
  _files
}
compdef _runhook runhook
`;
}

function fish(nodes: Node[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const here = `complete -c runhook -n ${quoted(`__runhook_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ name, about }) => `${here} -f -a ${name} -d ${quoted(about)}`),
      ...options.map(
        ({ long, about, takesValue }) => `${here}${takesValue ? ' -r' : ''} -l ${long.slice(2)} -d ${quoted(about)}`,
      ),
    ];
  });
  return `# runhook completion fish | source   (in ~/.config/fish/config.fish)
function __runhook_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$at $word")
    contains -- $longer ${nodes.map(({ path }) => quoted(path)).join(' ')}; and set at $longer
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}
