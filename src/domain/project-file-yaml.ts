import { LineCounter, parseDocument } from 'yaml';
import type { ParsedNode, YAMLError } from 'yaml';
import { TOO_DEEP, unreadable, YamlReader, type YamlText } from './project-file-reader.js';

/** One slip makes the parser stumble over much that follows. */
const MAX_SYNTAX_PROBLEMS = 20;

/** Reads one YAML document (JSON is YAML too). Never throws for what the text holds: see `problems`. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  try {
    // Duplicate keys are found by the reader below: the library's own way takes quadratic time.
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      schema: 'core',
      merge: false,
    });
    const broken = [...document.errors, ...document.warnings];
    if (broken.some(({ message }) => message.includes('call stack')))
      return unreadable([{ line: 1, message: TOO_DEEP }]);
    if (broken.length > 0)
      return unreadable(
        broken.slice(0, MAX_SYNTAX_PROBLEMS).map((error) => ({
          line: lines.linePos(error.pos[0]).line,
          message: explain(error),
        })),
      );
    return new YamlReader(lines).read(document.contents as ParsedNode | null);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The parser recurses: thousands of levels exhaust the stack.
    return unreadable([{ line: 1, message: TOO_DEEP }]);
  }
}

function explain(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS')
    return 'a second document begins here; a project file is one document: remove the ---';
  return `not valid YAML: ${error.message}`;
}
