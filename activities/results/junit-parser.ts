import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { createCaseReader, type JunitCase } from './junit-case-reader.js';
import { UnreadableError } from './read-text.js';

const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 100;
/** Maximum length of a text, attribute, comment or name, in characters: the parser buffers each. */
const MAX_PIECE = 4 * 1024 * 1024;
/** Characters that XML forbids but tools write, such as terminal colors in messages. */
const TOLERATED = /: (disallowed character|malformed character entity)\.$/;
const MAX_TOLERATED = 1000;

export interface JunitParser {
  /** @throws UnreadableError: the file is not JUnit XML or breaks a limit; earlier cases remain */
  write(text: string): void;
  /** Ends the file. @throws UnreadableError */
  end(): void;
}

/**
 * Parses JUnit XML as a stream, in both dialects (`testsuites`, `testsuite`). Document types, and with them custom
 * entities, are refused, and so is input that needs more memory than real results do.
 */
export function createJunitParser(onCase: (found: JunitCase) => void): JunitParser {
  const parser = new SaxesParser({ xmlns: false });
  const reader = createCaseReader(onCase);
  let depth = 0;
  let attributes = 0;
  let tolerated = 0;
  let lastEvent = 0;
  const refuse = (why: string): never => {
    throw new UnreadableError(`was read only up to line ${parser.line}: ${why}`);
  };
  const noteEvent = () => {
    lastEvent = parser.position;
  };

  parser.on('error', ({ message }) => {
    if (!TOLERATED.test(message))
      refuse(`not well-formed XML (${message.replace(/^\S*\d+:\d+: /, '').replace(/\.$/, '')})`);
    if (++tolerated > MAX_TOLERATED) refuse('too many characters that XML forbids');
  });
  parser.on('doctype', () => refuse('it has a document type declaration, which is not supported'));
  parser.on('opentagstart', () => {
    noteEvent();
    attributes = 0;
    if (++depth > MAX_DEPTH) refuse(`elements are nested more than ${MAX_DEPTH} deep`);
  });
  parser.on('attribute', () => {
    noteEvent();
    if (++attributes > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    noteEvent();
    if (depth === 1 && tag.name !== 'testsuites' && tag.name !== 'testsuite')
      refuse('it is not JUnit XML: its root element is neither testsuites nor testsuite');
    reader.open(tag.name, tag.attributes);
  });
  parser.on('closetag', ({ name }) => {
    noteEvent();
    depth--;
    reader.close(name);
  });
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (text) => {
      noteEvent();
      reader.text(text);
    });
  parser.on('comment', noteEvent);
  parser.on('processinginstruction', noteEvent);

  return {
    write(text) {
      parser.write(text);
      if (parser.position - lastEvent > MAX_PIECE)
        refuse(`a single text or attribute is longer than ${MAX_PIECE} characters`);
    },
    end: () => void parser.close(),
  };
}
