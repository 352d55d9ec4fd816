import { DOC_LINKS, type DocTopic } from '#src/web/texts/doc-links.js';

/** A link to the page of the documentation about something. */
export function DocsLink({ to }: { to: DocTopic }) {
  const { path, about } = DOC_LINKS[to];
  return <a href={path}>Learn more about {about}</a>;
}
