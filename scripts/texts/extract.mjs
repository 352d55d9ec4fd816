import ts from 'typescript';

/** Attributes and properties whose value a person reads even when it is one word. */
const READ_BY_PEOPLE =
  /^(title|placeholder|aria-label|aria-description|label|hint|alt|verb|heading|text|summary|description|notice|message|help|meaning|remedy|caption|content|name|data-(label|text|title|confirm|done))$/;
/** Attributes that hold no text. */
const NO_TEXT =
  /^(class|className|style|id|for|href|src|type|rel|method|action|d|points|viewBox|transform|autocomplete|sizes|pattern|hx-.*|aria-(controls|labelledby|describedby|current))$/;
/** Calls whose arguments go to programs. */
const NO_TEXT_CALL =
  /^(header|type|import|require|querySelector(All)?|closest|matches|getElementById|createElement|addEventListener|execFile|spawn|split|join|startsWith|endsWith|includes|indexOf|pattern|setAttribute)$/;
const LETTER = /\p{L}/u;

/**
 * @typedef {object} Found
 * @property {'text' | 'comment' | 'name'} place
 * @property {number} pos where it begins in the source
 * @property {number} line from 1
 * @property {string} text of a template with `${…}` for its values
 * @property {'error' | 'log' | 'metric' | 'attribute' | 'jsx' | 'string' | undefined} use
 */

/**
 * What is written in a file of code: texts that users may see, comments, declared names. A heuristic: every text with a
 * letter and a space, but for those that only programs read; of single words, those in JSX and in attributes for people.
 * @param {string} file its name decides about JSX
 * @param {string} source
 * @returns {Found[]} in the order of the file
 */
export function extract(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file));
  /** @type {Found[]} */
  const found = [];
  /** @type {[number, number][]} */
  const literals = [];
  const add = (place, pos, text, use) => {
    found.push({ place, pos, line: tree.getLineAndCharacterOfPosition(pos).line + 1, text, use });
  };
  visit(tree);
  for (const [pos, text] of commentsIn(source, literals)) add('comment', pos, text, undefined);
  return found.sort((a, b) => a.pos - b.pos);

  function visit(node) {
    if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) {
      literals.push([node.getStart(), node.end]);
      return;
    }
    if (ts.isLiteralTypeNode(node) || ts.isTemplateLiteralTypeNode(node)) {
      literals.push([node.getStart(), node.end]);
      return;
    }
    if (ts.isJsxText(node)) {
      literals.push([node.pos, node.end]);
      const text = node.text.replaceAll(/\s+/g, ' ').trim();
      if (LETTER.test(text)) add('text', node.pos + node.text.search(/\S/), text, 'jsx');
      return;
    }
    if (ts.isRegularExpressionLiteral(node)) literals.push([node.getStart(), node.end]);
    if (ts.isStringLiteralLike(node)) {
      literals.push([node.getStart(), node.end]);
      text(node, node.text);
    } else if (ts.isTemplateExpression(node)) {
      const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
      for (const part of parts) literals.push([part.getStart(), part.end]);
      text(node, parts.map((part) => part.text).join('${…}'));
    } else if (ts.isIdentifier(node) && declares(node)) {
      add('name', node.getStart(), node.text, undefined);
    }
    ts.forEachChild(node, visit);
  }

  function text(node, value) {
    const words = value.replaceAll('${…}', '');
    if (!/\p{L}{2}/u.test(words)) return;
    const use = useOf(node);
    if (use === undefined) return;
    const isSentence = /\s/.test(value.trim()) && /\p{L}.*\s|\s.*\p{L}/su.test(value);
    // A capital letter and an inner text: a label such as 'Runs'.
    const isLabel = /^\p{Lu}\p{Ll}+$/u.test(words.trim()) && /x$/.test(file);
    if (!isSentence && use !== 'attribute' && !isLabel) return;
    if (use === 'attribute' && !isSentence && !isLabel && !/^\p{L}/u.test(words)) return;
    if (isCssClasses(words) || /^\s*(-|data:)/.test(value)) return;
    add('text', node.getStart(), value, use);
  }
}

function kindOf(file) {
  if (file.endsWith('.tsx')) return ts.ScriptKind.TSX;
  return /\.[mc]?js$/.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

/** How a text is used, by what stands around it; undefined: only programs read it. */
function useOf(node) {
  for (let child = node, parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isJsxAttribute(parent)) {
      const name = parent.name.getText();
      return NO_TEXT.test(name) ? undefined : READ_BY_PEOPLE.test(name) && name !== 'name' ? 'attribute' : 'string';
    }
    if (ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent)) return 'jsx';
    if (ts.isElementAccessExpression(parent) && parent.argumentExpression === child) return undefined;
    if (ts.isCaseClause(parent)) return undefined;
    if (ts.isPropertyAssignment(parent)) {
      if (parent.name === child) return undefined;
      const name = parent.name.getText().replaceAll(/['"]/g, '');
      if (NO_TEXT.test(name)) return undefined;
      if (name === 'help') return 'metric';
      if (READ_BY_PEOPLE.test(name) && name !== 'name') return 'attribute';
    }
    if (ts.isBinaryExpression(parent) && isComparison(parent.operatorToken.kind)) return undefined;
    if (ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText())) return 'error';
    if (ts.isThrowStatement(parent)) return 'error';
    if (ts.isCallExpression(parent) && parent.expression !== child) {
      const called = parent.expression.getText();
      const method = called.split('.').at(-1);
      if (/(^|\.)(log|logger|pino)\w*\.(trace|debug|info|warn|error|fatal)$/i.test(called)) return 'log';
      if (NO_TEXT_CALL.test(method)) return undefined;
    }
    if (ts.isStatement(parent) && !ts.isExpressionStatement(parent)) break;
  }
  return 'string';
}

const isComparison = (kind) =>
  [
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ts.SyntaxKind.EqualsEqualsToken,
    ts.SyntaxKind.InKeyword,
  ].includes(kind);

/** `btn btn-primary`, `notice notice-warning`. */
const isCssClasses = (text) =>
  /^[a-z0-9 _-]+$/.test(text) &&
  text
    .trim()
    .split(/\s+/)
    .some((word) =>
      /^(btn|badge|text|card|table|form|nav|d|mb|mt|ms|me|col|row|notice|alert|list|input|small|visually)(-|$)/.test(
        word,
      ),
    ) &&
  /-/.test(text);

/** The name is declared here, not used; keys of an object are those of its type. */
function declares(node) {
  const { parent } = node;
  return (
    'name' in parent &&
    parent.name === node &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isPropertyAssignment(parent) &&
    !ts.isShorthandPropertyAssignment(parent) &&
    !ts.isJsxAttribute(parent) &&
    !ts.isImportSpecifier(parent) &&
    !ts.isImportClause(parent) &&
    !ts.isNamespaceImport(parent)
  );
}

/**
 * Comments, found outside of literals.
 * @returns {[number, string][]} each with its position
 */
function commentsIn(source, literals) {
  const sorted = literals.toSorted(([a], [b]) => a - b);
  const comment = /\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|\/\*[\s\S]*?\*\//g;
  const comments = [];
  for (let next = 0, match = comment.exec(source); match; match = comment.exec(source)) {
    while (next < sorted.length && sorted[next][1] <= match.index) next++;
    const literal = sorted[next];
    if (literal && literal[0] <= match.index) comment.lastIndex = literal[1];
    else comments.push([match.index, match[0]]);
  }
  return comments;
}
