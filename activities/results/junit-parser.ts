import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { createCaseReader, type JunitCase } from './junit-case.js';
import { UnreadableError } from './read-text.js';

const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 100;
/** Of one text, attribute, comment or name, in characters: the parser holds it whole. */
const MAX_PIECE = 4 * 1024 * 1024;
/** Characters that XML forbids, which tools write nevertheless: colours of terminals in their messages. */
const FORGIVEN = /: (disallowed character|malformed character entity)\.$/;
const MAX_FORGIVEN = 1000;

export interface JunitParser {
  /** @throws UnreadableError: the file is no JUnit, or not to be trusted; cases before it stand */
  write(text: string): void;
  /** The file is over. @throws UnreadableError */
  end(): void;
}

/**
 * Reads JUnit XML as it comes, both dialects (`testsuites`, `testsuite`). Strict: no document type, so no entities of its
 * own; what would need more memory than a result has is refused.
 */
export function createJunitParser(onCase: (found: JunitCase) => void): JunitParser {
  const parser = new SaxesParser({ xmlns: false });
  const reader = createCaseReader(onCase);
  let depth = 0;
  let attributes = 0;
  let forgiven = 0;
  let lastEvent = 0;
  const refuse = (why: string): never => {
    throw new UnreadableError(`was read only up to line ${parser.line}: ${why}`);
  };
  const heard = () => {
    lastEvent = parser.position;
  };

  parser.on('error', ({ message }) => {
    if (!FORGIVEN.test(message))
      refuse(`not well-formed XML (${message.replace(/^\S*\d+:\d+: /, '').replace(/\.$/, '')})`);
    if (++forgiven > MAX_FORGIVEN) refuse('too many characters that XML forbids');
  });
  parser.on('doctype', () => refuse('it has a document type declaration, which is not supported'));
  parser.on('opentagstart', () => {
    heard();
    attributes = 0;
    if (++depth > MAX_DEPTH) refuse(`elements are nested more than ${MAX_DEPTH} deep`);
  });
  parser.on('attribute', () => {
    heard();
    if (++attributes > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    heard();
    if (depth === 1 && tag.name !== 'testsuites' && tag.name !== 'testsuite')
      refuse('it is not JUnit XML: its root element is neither testsuites nor testsuite');
    reader.open(tag.name, tag.attributes);
  });
  parser.on('closetag', ({ name }) => {
    heard();
    depth--;
    reader.close(name);
  });
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (text) => {
      heard();
      reader.text(text);
    });
  parser.on('comment', heard);
  parser.on('processinginstruction', heard);

  return {
    write(text) {
      parser.write(text);
      if (parser.position - lastEvent > MAX_PIECE)
        refuse(`a single text or attribute is longer than ${MAX_PIECE} characters`);
    },
    end: () => void parser.close(),
  };
}
