import { idPlaceholder, maskedToken, webhookPath } from '#src/domain/tokens/webhook-url.js';
import { Copy } from '#src/web/components/copy.js';
import { secrecyOf } from './secrecy-of.js';

const KINDS = [
  { kind: 'test', label: 'To run a test' },
  { kind: 'suite', label: 'To run a suite' },
] as const;

interface UrlTemplatesProps {
  publicUrl: string;
  /** None to show: a placeholder stands for it. */
  token: string | undefined;
  isRevealed: boolean;
}

/** The two webhook URLs of a project, with places for an id. */
export function UrlTemplates({ publicUrl, token, isRevealed }: UrlTemplatesProps) {
  return (
    <>
      {KINDS.map(({ kind, label }) => {
        const url = (of: string) => publicUrl + webhookPath(of, kind, idPlaceholder(kind));
        const id = `${kind}-url`;
        return (
          <div key={kind}>
            <h3>{label}</h3>
            {token === undefined ? (
              <pre id={id}>{url('<WEBHOOK_TOKEN>')}</pre>
            ) : (
              <Copy
                id={id}
                text={url(token)}
                secret={secrecyOf(url(maskedToken(token)), isRevealed)}
                label="Copy URL"
              />
            )}
          </div>
        );
      })}
    </>
  );
}
