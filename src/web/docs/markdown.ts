import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Token } from 'markdown-it';

/** A part of a page from one heading to the next. */
interface DocSection {
  heading: string;
  /** Id of the heading; the first section of a page is the page itself and has none. */
  anchor: string;
  /** 1 is the page itself. */
  level: number;
  /** Without markup. */
  text: string;
}

export interface RenderedDoc {
  title: string;
  /** Without the title. */
  html: string;
  sections: DocSection[];
  /** Targets of its links and pictures, as written. */
  links: string[];
  /** Paths of its pictures on the server. */
  pictures: string[];
}

/** Where a link or picture of a page leads on the server; undefined: nowhere, its text stays. */
type LinkTarget = (written: string) => string | undefined;

// Raw HTML in a page is shown as text. The renderer writes no style or script, which the policy of pages would refuse.
const markdown = new MarkdownIt({ html: false, linkify: false });

/** Comments mark generated parts and are for the people who edit the file. */
const COMMENT = /<!--[^]*?-->\n?/g;

/** Renders a page of the documentation; headings get the ids that GitHub gives them. */
export function renderDoc(source: string, target: LinkTarget): RenderedDoc {
  const tokens = markdown.parse(source.replace(COMMENT, ''), {}).filter((token) => !isDiagram(token));
  const links: string[] = [];
  const pictures: string[] = [];
  const sections = addAnchors(tokens);
  labelCells(tokens);
  for (const token of tokens) rewriteLinks(token.children ?? [], target, links, pictures);
  return {
    title: sections[0]!.heading,
    html: markdown.renderer.render(withoutTitle(tokens), markdown.options, {}),
    sections,
    links,
    pictures,
  };
}

const withoutTitle = (tokens: Token[]) => (tokens[0]?.tag === 'h1' ? tokens.slice(3) : tokens);

/** GitHub draws it; here the text beside it says the same. */
const isDiagram = ({ type, info }: Token) => type === 'fence' && info.startsWith('mermaid');

function addAnchors(tokens: Token[]): DocSection[] {
  const slugger = new GithubSlugger();
  const sections: DocSection[] = [];
  let text: string[] = [];
  const close = () => {
    const last = sections.at(-1);
    if (last) last.text = text.join(' ').replaceAll(/\s+/g, ' ');
    text = [];
  };
  for (const [index, token] of tokens.entries()) {
    const isInHeading = tokens[index - 1]?.type === 'heading_open';
    if (token.type === 'heading_open') {
      close();
      const heading = plainText(tokens[index + 1]!);
      const anchor = slugger.slug(heading);
      token.attrSet('id', anchor);
      sections.push({
        heading,
        anchor: sections.length === 0 ? '' : anchor,
        level: Number(token.tag.slice(1)),
        text: '',
      });
    } else if (!isInHeading && (token.type === 'inline' || token.type === 'fence')) text.push(plainText(token));
  }
  close();
  return sections.length > 0 ? sections : [{ heading: 'Documentation', anchor: '', level: 1, text: text.join(' ') }];
}

function plainText(token: Token): string {
  if (!token.children) return token.content;
  return token.children
    .filter(({ type }) => ['text', 'code_inline', 'softbreak', 'image'].includes(type))
    .map((child) => (child.type === 'softbreak' ? ' ' : child.content))
    .join('');
}

function rewriteLinks(children: Token[], target: LinkTarget, links: string[], pictures: string[]): void {
  let isDropped = false;
  for (const child of children) {
    if (child.type === 'link_open') {
      const written = String(child.attrGet('href'));
      const url = target(written);
      links.push(written);
      isDropped = child.hidden = url === undefined;
      if (url !== undefined) child.attrSet('href', url);
    } else if (child.type === 'link_close') child.hidden = isDropped;
    else if (child.type === 'image') {
      const written = String(child.attrGet('src'));
      const url = target(written);
      links.push(written);
      if (url === undefined) child.type = 'text';
      else {
        pictures.push(url);
        child.attrSet('src', url);
      }
    }
  }
}

/** Every cell gets the name of its column, which a phone shows in front of it. */
function labelCells(tokens: Token[]): void {
  let names: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') names = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') names.push(plainText(tokens[index + 1]!));
    if (token.type === 'td_open') {
      const name = names[column++];
      if (column > 1 && name) token.attrSet('data-label', name);
    }
  }
}
