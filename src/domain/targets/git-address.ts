/*
 * Repositories, refs and folders of tests. They are checked when the test is defined, and again when its variables are
 * substituted, because their values are not trusted either. Messages contain no values: some are secret.
 */

/** Supported protocols; a worker allows those in RUNHOOK_GIT_PROTOCOLS. */
export const GIT_PROTOCOLS = ['https', 'ssh', 'http', 'git', 'file'] as const;
export type GitProtocol = (typeof GIT_PROTOCOLS)[number];

/** A repository's address, split. */
export interface GitAddress {
  protocol: GitProtocol;
  /** URL for git, without user and password, except the user of SSH. */
  url: string;
  /** Percent-encoding is preserved. */
  userinfo?: string;
}

const PLACE = /\{\{\s*[A-Za-z_][A-Za-z0-9_]*\s*\}\}/g;
const CONTROL = /[\u0000-\u0020\u007f-\u009f]/;
/** The short form of SSH: `user@host:path`; neither host nor path may look like an option. */
const SHORT_SSH = /^(?:[A-Za-z0-9_][\w.-]*@)?[A-Za-z0-9[][\w.:\]-]*?:(?!\/\/|-|:)[^:\\]+$/;
const LONG = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#@]*)(\/.*)?$/i;

/** @returns its parts, or the problem */
export function splitGitAddress(url: string): GitAddress | string {
  if (CONTROL.test(url)) return 'must not contain spaces or control characters (write a space as %20)';
  if (url.startsWith('-')) return 'must not start with "-": Git would read it as an option';
  const helper = /^([a-z0-9+.-]+)::/i.exec(url);
  if (helper) return `must not use a remote helper (${helper[1]}::…), which could run any program`;
  const [, scheme = '', userinfo, host = '', path = ''] = LONG.exec(url) ?? [];
  if (!scheme)
    return SHORT_SSH.test(url)
      ? { protocol: 'ssh', url }
      : 'must be the URL of a repository, such as https://git.example.com/shop/tests.git';
  const protocol = GIT_PROTOCOLS.find((one) => one === scheme.toLowerCase());
  if (!protocol) return `must start with one of ${GIT_PROTOCOLS.map((one) => `${one}://`).join(', ')}`;
  if (host.startsWith('-') || userinfo?.startsWith('-')) return 'must not have a host that starts with "-"';
  if (protocol === 'file' ? host || userinfo : !host)
    return protocol === 'file' ? 'must have three slashes: file:///srv/tests.git' : 'must have a host';
  if (path.length < 2) return 'must have a path after the host';
  if (protocol !== 'ssh') return { protocol, url: `${protocol}://${host}${path}`, ...(userinfo ? { userinfo } : {}) };
  if (userinfo?.includes(':')) return 'must not contain a password: SSH uses a key';
  return { protocol, url };
}

/** @param url may contain variables `{{NAME}}`. @returns the problem, if any */
export function problemOfGitUrl(url: string): string | undefined {
  if (/^\{\{/.test(url)) return undefined; // Checked when the variable is substituted.
  const address = splitGitAddress(url.replace(PLACE, 'x'));
  if (typeof address === 'string') return address;
  const [, password] = splitUserinfo(LONG.exec(url.replaceAll(/\s/g, ''))?.[2] ?? '');
  return password && password.replace(PLACE, '') === password
    ? 'must not contain a password: store it in a secret variable and write {{NAME}} instead'
    : undefined;
}

/** @returns user and password; without a colon, the text is the user */
export function splitUserinfo(userinfo: string): [user: string, password: string] {
  const colon = userinfo.indexOf(':');
  return colon < 0 ? [userinfo, ''] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
}

/** The rules of git-check-ref-format, and no options. @returns the problem, if any */
export function problemOfRef(ref: string): string | undefined {
  const text = ref.replace(PLACE, 'x');
  const isWrong =
    CONTROL.test(text) || /^[-/]|^@$|[~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^\.|\.lock(\/|$)|[/.]$/.test(text) || text === '';
  return isWrong
    ? 'must be a branch, tag or commit: without a leading "-" or "/", spaces, or any of ~ ^ : ? * [ \\ .. @{'
    : undefined;
}

/** Checks a folder inside a repository, or below a working folder. @returns the problem, if any */
export function problemOfFolder(path: string): string | undefined {
  const text = path.replace(PLACE, 'x');
  const parts = text.split('/');

  if (/[\u0000-\u001f\u007f]/.test(text)) return 'must not contain control characters';
  if (text.startsWith('/') || text.startsWith('-')) return 'must be a relative path that does not start with "-"';
  if (parts.includes('..')) return 'must not contain ".."';
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'must not be inside .git';
  return undefined;
}
