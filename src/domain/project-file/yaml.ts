import { Composer, Lexer, LineCounter, Parser } from 'yaml';
import type { Document, ParsedNode, YAMLError } from 'yaml';
import { MAX_DEPTH, TOO_DEEP, unreadable, YamlReader, type TypedPath, type YamlText } from './reader.js';

const SECOND_DOCUMENT = 'a second document starts here; a project file must be a single document, without ---';

/** A single mistake often causes many syntax errors. */
const MAX_SYNTAX_PROBLEMS = 20;

/** Each level of nesting opens up to two tokens. */
const MAX_OPEN_TOKENS = 4 * MAX_DEPTH;

class TooDeepError extends Error {
  override name = 'TooDeepError';
}

/**
 * Reads one YAML document (JSON is YAML too). Reports invalid text in `problems` instead of throwing.
 * @param typedPaths where values keep their types; elsewhere every scalar is text
 */
export function readYaml(text: string, typedPaths: readonly TypedPath[] = []): YamlText {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  try {
    const [document, second] = compose(text, lines);
    const broken = [...document!.errors, ...document!.warnings].slice(0, MAX_SYNTAX_PROBLEMS);
    const problems = broken.map((error) => ({ line: lineAt(error.pos[0]), message: explain(error) }));
    if (second) problems.push({ line: lineAt(second.range![0]), message: SECOND_DOCUMENT });
    if (problems.length > 0) return unreadable(problems);
    return new YamlReader(lines, typedPaths).read(document!.contents as ParsedNode | null);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    return unreadable([{ line: 1, message: TOO_DEEP }]);
  }
}

/** The first document of a text, which always exists, and the second, if any. @throws TooDeepError */
function compose(text: string, lines: LineCounter): Document[] {
  // The reader finds duplicate keys, because the library takes quadratic time.
  const composer = new Composer({
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    schema: 'core',
    merge: false,
  });
  const documents: Document[] = [];
  for (const document of composer.compose(tokensOf(text, lines), true, text.length)) {
    documents.push(document as Document);
    if (documents.length === 2) break;
  }
  return documents;
}

/** Rejects deep nesting before the recursive composer, because an exhausted stack would end the process. */
function* tokensOf(text: string, lines: LineCounter) {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_OPEN_TOKENS) throw new TooDeepError();
  }
  yield* parser.end();
}

function explain({ message }: YAMLError): string {
  return `not valid YAML: ${message}`;
}
